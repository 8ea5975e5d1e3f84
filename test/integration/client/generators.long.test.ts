import { execFile } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { installedFromRegistry, removeInstalled } from '../../support/from-registry.js';

const run = promisify(execFile);

/** The generators that people use, besides openapi-typescript, which generates ours: the command and its output. */
const generators: Record<string, { package: string; bin: string; args: string[]; entry: string }> = {
  '@hey-api/openapi-ts': {
    package: '@hey-api/openapi-ts@0.99.0',
    bin: 'openapi-ts',
    args: ['-i', 'openapi.json', '-o', 'hey', '-p', '@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch'],
    entry: 'hey/index.ts',
  },
  orval: {
    package: 'orval@8.38.0',
    bin: 'orval',
    args: ['--input', 'openapi.json', '--output', 'orval/api.ts', '--client', 'fetch'],
    entry: 'orval/api.ts',
  },
  'swagger-typescript-api': {
    package: 'swagger-typescript-api@13.13.0',
    bin: 'swagger-typescript-api',
    args: ['generate', '-p', 'openapi.json', '-o', 'swagger', '-n', 'api.ts'],
    entry: 'swagger/api.ts',
  },
};

const installed = await installedFromRegistry(...Object.values(generators).map((one) => one.package), 'typescript@5.9');
afterAll(() => removeInstalled(installed));

(installed ? it : it.skip).each(Object.entries(generators))(
  '%s generates a client from the document that compiles',
  async (_, { bin, args, entry }) => {
    const folder = installed as string;
    copyFileSync('docs/openapi.json', join(folder, 'openapi.json'));
    await run(process.execPath, [join('node_modules', '.bin', bin), ...args], { cwd: folder });
    expect(mistakesIn(join(folder, entry))).toEqual([]);
  },
  300_000,
);

function mistakesIn(file: string): string[] {
  const program = ts.createProgram([file], {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    types: [],
  });
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}
