// Bundles each of our processes and what its threads run into a few files in dist/bundle, from the compiler's output in
// dist and from the packages; src/processes/run-bundled.ts explains why. Assets and tests continue to use dist/src and
// dist/libs. Of the packages, a bundle needs only machine code (`external` below), so the image has no others.
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { findPackageJSON, isBuiltin } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const dist = join(import.meta.dirname, '..', 'dist');
const bundle = join(dist, 'bundle');

/** Packages that others load from where they are installed. We have none of them. */
const absent = ['@fastify/static', '@nestjs/microservices', '@nestjs/websockets'];

/** What a thread loads: `import.meta.resolve('./file.js')`. */
const loadedInThreads = /import\.meta\.resolve\('(\.[^']*)'\)/g;

const ofThreads = globSync(join(dist, '{src,libs}', '**', '*.js')).flatMap((path) =>
  [...readFileSync(path, 'utf8').matchAll(loadedInThreads)].map(([, file]) => join(dirname(path), file)),
);

/** Our files find neighboring files by their own location, which in the bundle must be the original one. */
const places = {
  name: 'places',
  setup({ onLoad }) {
    onLoad({ filter: /\.js$/ }, ({ path }) => {
      if (path.includes('/node_modules/')) return undefined;
      const contents = readFileSync(path, 'utf8');
      if (!contents.includes('import.meta.')) return undefined;
      const place = `new URL(${JSON.stringify(relative(bundle, path))}, import.meta.url)`;
      return {
        contents: contents
          .replaceAll('import.meta.url', `${place}.href`)
          // All of the bundle is in one folder.
          .replaceAll(loadedInThreads, (_, file) => `new URL('./${basename(file)}', import.meta.url).href`),
      };
    });
  },
};

/**
 * mapped-types makes a `require` of its own, which esbuild does not follow: without this, a second class-validator would be
 * loaded from node_modules at each start, file by file.
 */
const requires = {
  name: 'requires',
  setup({ onLoad }) {
    onLoad({ filter: /@nestjs\/mapped-types\/.*\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace('const require = createRequire(import.meta.url);', ''),
    }));
  },
};

/** With esbuild, a lazy import of a CommonJS package has only its default export; Node adds its names as well. */
const names = {
  name: 'names',
  setup({ onResolve, onLoad, resolve }) {
    onResolve({ filter: /^[^./]/ }, async ({ path, kind, resolveDir, pluginData }) => {
      if (kind !== 'dynamic-import' || pluginData === names || isBuiltin(path)) return undefined;
      const found = await resolve(path, { kind, resolveDir, pluginData: names });
      if (found.external || found.errors.length > 0 || !isCommonJs(found.path)) return found;
      return { path: found.path, namespace: 'names' };
    });
    onLoad({ filter: /^/, namespace: 'names' }, async ({ path }) => {
      const exported = Object.keys(await import(pathToFileURL(path))).filter((name) => name !== 'module.exports');
      return { contents: `export { ${exported.join(', ')} } from ${JSON.stringify(path)}`, resolveDir: dirname(path) };
    });
  },
};

function isCommonJs(path) {
  if (path.endsWith('.cjs')) return true;
  const { type } = JSON.parse(readFileSync(findPackageJSON(pathToFileURL(path)), 'utf8'));
  return path.endsWith('.js') && type !== 'module';
}

/**
 * Nest and TypeORM use the names of classes, and esbuild also keeps those of functions, each time one is created, which
 * takes 4 % of a request. Every text is replaced by one of its length, because the source map counts columns. A line
 * may end between any two words.
 */
const withNamesOfClassesAlone = (code) =>
  code
    .replace(/(?<=var __name=)\(target,value\)=>__defProp\([^)]*\)/, (text) => 'target=>target'.padEnd(text.length))
    .replaceAll(/(?<=static\s*\{\s*)__name(?=\s*\(\s*this\s*,)/g, '_named');

/** Node keeps a source with any other character in two bytes a character. esbuild leaves those of regular expressions. */
const inAscii = (code) =>
  code.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

const options = {
  outdir: bundle,
  bundle: true,
  // Code that is loaded at first use remains a separate file, and shared code occurs once.
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  // As Node resolves.
  mainFields: ['main'],
  conditions: [],
  keepNames: true,
  // The source remains in memory. Lines are short, because Node prints the line of an uncaught error.
  minifyWhitespace: true,
  lineLimit: 200,
  legalComments: 'none',
  write: false,
  // No comment refers to them, so Node ignores them: libs/traces/readable-traces.ts reads them.
  sourcemap: 'external',
  sourcesContent: false,
  logLevel: 'warning',
  plugins: [requires, places, names],
  // Argon2 is machine code, and the storage is where another class-transformer keeps it.
  external: [...absent, ...absent.map((name) => `${name}/*`), '@node-rs/argon2', 'class-transformer/storage'],
  // CommonJS packages expect these three.
  banner: {
    js: [
      "import { createRequire as createRequireOfBundle } from 'node:module';",
      'const require = createRequireOfBundle(import.meta.url);',
      'const { filename: __filename, dirname: __dirname } = import.meta;',
      'const _named = (target, value) => Object.defineProperty(target, "name", { value, configurable: true });',
    ].join(' '),
  },
};

const processes = {
  main: join(dist, 'src', 'processes', 'main.program.js'),
  worker: join(dist, 'src', 'processes', 'worker.program.js'),
  ops: join(dist, 'src', 'processes', 'ops', 'main.program.js'),
  'global-entry': join(dist, 'src', 'processes', 'global-entry', 'main.program.js'),
};
const threads = Object.fromEntries(ofThreads.map((path) => [basename(path, '.js'), path]));

rmSync(bundle, { recursive: true, force: true });
mkdirSync(bundle, { recursive: true });
// Apart, because esbuild leaves nothing out of a file that two of them share.
for (const entryPoints of [processes, threads]) {
  const { outputFiles } = await build({ ...options, entryPoints });
  for (const { path, text } of outputFiles)
    writeFileSync(path, path.endsWith('.js') ? inAscii(withNamesOfClassesAlone(text)) : text);
}
