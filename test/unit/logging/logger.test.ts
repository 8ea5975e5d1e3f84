import { spawnSync } from 'node:child_process';

const logger = new URL('../../../dist/src/platform/logging/logger.js', import.meta.url).href;

/** What a process that logs this writes to standard error. */
function logged(call: string): object {
  const program = `const { ServiceLogger } = await import('${logger}'); new ServiceLogger('info').${call};`;
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
  return JSON.parse(stderr) as object;
}

it('writes the message, the type and the stack of an error that Nest logs', () => {
  expect(logged(`error(new TypeError('The port is in use'), 'ExceptionHandler')`)).toMatchObject({
    msg: 'The port is in use',
    context: 'ExceptionHandler',
    err: { type: 'TypeError', stack: expect.stringContaining('TypeError: The port is in use') },
  });
});

it('writes the fields and the message of an event', () => {
  expect(logged(`warn({ requestId: 'r-1' }, 'A request was rejected', 'edge')`)).toMatchObject({
    msg: 'A request was rejected',
    context: 'edge',
    requestId: 'r-1',
  });
});
