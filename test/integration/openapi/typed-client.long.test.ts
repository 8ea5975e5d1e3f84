import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import openapiTypescript, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { type Service, startApp } from '../../support/start-app.js';

/** What docs/typed-client.md shows. */
const program = /```ts\n([\s\S]+?)```/.exec(readFileSync('docs/typed-client.md', 'utf8'))?.[1] as string;
/** Each mistake must be one to the compiler, which also finds fault with an expectation that is not met. */
const mistakes = `
import createClient from 'openapi-fetch';
import type { paths } from './property-operations.js';

const client = createClient<paths>();
// @ts-expect-error: the field is called name
await client.POST('/api/v1/tasks', { body: { nmae: 'Change the linen' } });
// @ts-expect-error: there is no such priority
await client.POST('/api/v1/tasks', { body: { name: 'Change the linen', priority: 'soon' } });
// @ts-expect-error: the path has a parameter
await client.GET('/api/v1/tasks/{taskId}');
// @ts-expect-error: there is no such path
await client.GET('/api/v1/chores');
const { data } = await client.GET('/api/v1/tasks', { params: { query: { limit: 1 } } });
// @ts-expect-error: a task has no such field
data?.data[0]?.colour;
`;

const folder = mkdtempSync(join(tmpdir(), 'pos-client-'));
const file = (name: string): string => join(folder, name);

let service: Service;
beforeAll(async () => {
  service = await startApp();
  const types = astToString(await openapiTypescript(readFileSync('docs/openapi.json', 'utf8')));
  symlinkSync(resolve('node_modules'), file('node_modules'));
  writeFileSync(file('package.json'), '{ "type": "module" }');
  writeFileSync(file('property-operations.d.ts'), types);
  writeFileSync(file('program.ts'), program);
  writeFileSync(file('mistakes.ts'), mistakes);
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await service.close();
});

it('compiles against the types of the document, and no mistake does', () => {
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2024,
    module: ts.ModuleKind.NodeNext,
    types: [resolve('node_modules/@types/node')],
  };
  const diagnostics = ts.getPreEmitDiagnostics(ts.createProgram([file('program.ts'), file('mistakes.ts')], options));
  expect(diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([]);
});

it('creates a task, reads it and gets an error for one that does not exist', async () => {
  const env = { ...process.env, BASE_URL: service.url, API_KEY: service.key };
  const { stdout } = await promisify(execFile)(process.execPath, [file('program.ts')], { env });
  expect(stdout).toBe('Change the linen pending\n404 not_found_error\n');
});
