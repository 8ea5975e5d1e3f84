import { execFile } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';

const run = promisify(execFile);

/** The client as it is built here: its path, for `import`. */
export async function builtClient(): Promise<string> {
  await run(process.execPath, ['clients/typescript/build.mjs']);
  return resolve('clients/typescript/dist/index.js');
}

/**
 * An empty project with the packed client installed, as a customer has it. It is installed without a registry: its
 * dependencies are packed from node_modules.
 */
export async function projectWithClient(): Promise<string> {
  await builtClient();
  const folder = mkdtempSync(join(tmpdir(), 'pos-client-'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }');
  const packages = ['clients/typescript', 'node_modules/openapi-fetch', 'node_modules/openapi-typescript-helpers'];
  const { stdout } = await run(
    'npm',
    ['pack', '--ignore-scripts', '--json', ...packages.map((name) => resolve(name))],
    {
      cwd: folder,
    },
  );
  const packed = (JSON.parse(stdout) as { filename: string }[]).map(({ filename }) => `./${filename}`);
  const quietly = ['--offline', '--ignore-scripts', '--no-audit', '--no-fund'];
  await run('npm', ['install', ...quietly, ...packed], { cwd: folder });
  return folder;
}

/**
 * The compiler's messages about the TypeScript files of a project, and about an expected mistake that does not occur.
 */
export function mistakesIn(folder: string, ...files: string[]): string[] {
  const program = ts.createProgram(
    files.map((name) => join(folder, name)),
    {
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      noUncheckedIndexedAccess: true,
      target: ts.ScriptTarget.ES2024,
      module: ts.ModuleKind.NodeNext,
      types: [resolve('node_modules/@types/node')],
    },
  );
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ file, start, messageText }) =>
      [
        file?.fileName,
        file?.getLineAndCharacterOfPosition(start ?? 0).line,
        ts.flattenDiagnosticMessageText(messageText, '\n'),
      ].join(':'),
    );
}

/** Runs a TypeScript file of a project, and returns what it printed. */
export async function outputOf(folder: string, file: string, env: Record<string, string>): Promise<string> {
  const { stdout } = await run(process.execPath, [join(folder, file)], {
    cwd: folder,
    env: { ...process.env, ...env },
  });
  return stdout;
}
