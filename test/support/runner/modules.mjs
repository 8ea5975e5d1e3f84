/**
 * For `node --import`: runs TypeScript sources, including decorators, whose imports name the compiled `.js`. Modules
 * below test/ belong to one run of one test file and carry its number, so that their state does not reach the next
 * file; the product's modules and packages are loaded once.
 */
import { existsSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { transformSync } from '@swc/core';

const root = new URL('../../../', import.meta.url).href;
const tests = new URL('test/', root).href;
const globals = new URL('./globals.mjs', import.meta.url).href;
const cheapPasswords = new URL('./cheap-passwords.mjs', import.meta.url).href;
const keptThreads = new URL('./kept-threads.mjs', import.meta.url).href;
const thread = new URL('libs/threads/thread.ts', root).href;
const equalThreads = new URL('./equal-threads.mjs', import.meta.url).href;
const program = new URL('libs/threads/program.ts', root).href;

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === '@jest/globals') return { url: globals, shortCircuit: true };
    if (specifier === '@node-rs/argon2' && context.parentURL !== cheapPasswords)
      return { url: cheapPasswords, shortCircuit: true };
    const found = next(sourceOf(specifier, context.parentURL), context);
    if (found.url === thread && context.parentURL !== keptThreads) return { url: keptThreads, shortCircuit: true };
    if (specifier === './priority.js' && context.parentURL === program)
      return { url: equalThreads, shortCircuit: true };
    const run = runOf(context.parentURL);
    return run && found.url.startsWith(tests) && /\.tsx?$/.test(found.url) ? { ...found, url: found.url + run } : found;
  },
  load(url, context, next) {
    const [address] = url.split('?');
    if (!/\.tsx?$/.test(address) || address.includes('/node_modules/')) return next(url, context);
    return { format: 'module', shortCircuit: true, source: compiled(fileURLToPath(address)) };
  },
});

/** `./task.js` is task.ts, or task.tsx; `#errors` is libs/errors/index.ts. */
function sourceOf(specifier, parentURL = '') {
  if (!/\.tsx?(\?|$)/.test(parentURL)) return specifier;
  if (specifier.startsWith('#')) return new URL(`libs/${specifier.slice(1)}/index.ts`, root).href;
  if (!/^\.{1,2}\/.*\.js$/.test(specifier)) return specifier;
  const plain = specifier.replace(/\.js$/, '');
  return [`${plain}.ts`, `${plain}.tsx`].find((name) => existsSync(new URL(name, parentURL))) ?? specifier;
}

const runOf = (parentURL = '') => /\?run=\d+$/.exec(parentURL)?.[0];

const kept = new Map();

/** Helpers of the tests are loaded again for each file, but have not changed. */
function compiled(filename) {
  if (!kept.has(filename)) kept.set(filename, compile(filename));
  return kept.get(filename);
}

function compile(filename) {
  const { code } = transformSync(readFileSync(filename, 'utf8'), {
    filename,
    sourceMaps: 'inline',
    jsc: {
      target: 'es2024',
      parser: { syntax: 'typescript', tsx: filename.endsWith('x'), decorators: true },
      transform: {
        legacyDecorator: true,
        decoratorMetadata: true,
        useDefineForClassFields: false,
        react: { runtime: 'automatic', importSource: 'preact' },
      },
      keepClassNames: true,
    },
    module: { type: 'es6' },
  });
  return code;
}
