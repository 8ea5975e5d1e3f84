// Generates src/generated from docs/openapi.json and compiles src to dist, each only if it is out of date. Neither is in
// git: both follow from the document. With --generate it compiles nothing.
import { globSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const inFolder = (...names) => join(import.meta.dirname, ...names);
const document = inFolder('..', '..', 'docs', 'openapi.json');
const generated = inFolder('src', 'generated');
const dist = inFolder('dist');
const lock = inFolder('.build-lock');
/** A build takes seconds; an older lock is of a build that was killed. */
const abandonedMs = 120_000;

const modifiedAt = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
const newest = (paths) => Math.max(...paths.map(modifiedAt));
const sources = () => globSync('src/**/*.ts', { cwd: import.meta.dirname }).map((name) => inFolder(name));
const wantsTypes = () => modifiedAt(join(generated, 'errors.ts')) < newest([document, inFolder('generate.mjs')]);
const wantsDist = () => !process.argv.includes('--generate') && modifiedAt(dist) < newest(sources());

async function generate() {
  const { generatedFrom } = await import('./generate.mjs');
  const files = await generatedFrom(JSON.parse(readFileSync(document, 'utf8')));
  mkdirSync(generated, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(generated, name), text);
}

async function compile() {
  const { default: ts } = await import('typescript');
  const { config } = ts.readConfigFile(inFolder('tsconfig.json'), (path) => ts.sys.readFile(path));
  const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, import.meta.dirname);
  const program = ts.createProgram(fileNames, { ...options, outDir: `${dist}.new` });
  const mistakes = [...ts.getPreEmitDiagnostics(program), ...program.emit().diagnostics];
  if (mistakes.length > 0) throw new Error(mistakes.map((one) => textOf(ts, one)).join('\n'));
  rmSync(dist, { recursive: true, force: true });
  renameSync(`${dist}.new`, dist);
}

function textOf(ts, { file, start, messageText }) {
  const place = file ? `${file.fileName}:${file.getLineAndCharacterOfPosition(start).line + 1}: ` : '';
  return place + ts.flattenDiagnosticMessageText(messageText, '\n');
}

/** Several tests may need the client at the same time: the first builds it, and the others wait. */
async function locked(work) {
  for (;;) {
    try {
      mkdirSync(lock);
      break;
    } catch {
      if (Date.now() - modifiedAt(lock) > abandonedMs) rmSync(lock, { recursive: true, force: true });
      await wait(100);
    }
  }
  try {
    await work();
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

const isInstalled = globSync('node_modules/openapi-typescript', { cwd: inFolder('..', '..') }).length > 0;
// `npm ci --omit=dev` installs a service, which needs no client.
if (isInstalled || !process.argv.includes('--installing')) {
  await locked(async () => {
    if (wantsTypes()) await generate();
    if (wantsDist()) await compile();
  });
}
