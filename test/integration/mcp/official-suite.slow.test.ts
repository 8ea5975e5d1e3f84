import { execFile } from 'node:child_process';
import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { type Service, startApp } from '../../support/start-app.js';

const suite = 'node_modules/@modelcontextprotocol/conformance/dist/index.js';

let service: Service;
/** Adds the credential that the suite does not support, and nothing else. */
let proxy: Server;
beforeAll(async () => {
  service = await startApp();
  const authorization = `Bearer ${service.key}`;
  proxy = createServer((request, response) => {
    const { method, url: path, headers } = request;
    const { port } = service.config;
    const onward = httpRequest({ port, method, path, headers: { ...headers, authorization } }, (answer) => {
      response.writeHead(answer.statusCode as number, answer.headers);
      answer.pipe(response);
    });
    request.pipe(onward);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => proxy.once('listening', resolve));
});
afterAll(async () => {
  await new Promise((resolve) => proxy.close(resolve));
  await service.close();
});

/** Its other scenarios require tools, prompts and resources of its own. */
it.each(['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection'])(
  '%s of the official conformance suite passes',
  async (scenario) => {
    const url = `http://localhost:${(proxy.address() as AddressInfo).port}/mcp`;
    const args = [suite, 'server', '--url', url, '--scenario', scenario];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    expect(stdout).toMatch(/Passed: ([1-9]\d*)\/\1, 0 failed, 0 warnings/);
  },
);
