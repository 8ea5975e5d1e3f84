import { once } from 'node:events';
import { connect } from 'node:net';
import type { Json } from '../../support/api.js';
import { mcpOf } from '../../support/mcp.js';
import { type ServiceProcess, startProcess } from '../../support/service-process.js';

let service: ServiceProcess;
let lines: Json[];
let madeKey: string;
/** The audit entry of `made-1`. */
let entry: Json;

/** A whole session in a separate process; the log is read when the process has ended and written all of it. */
beforeAll(async () => {
  service = await startProcess();
  const { api } = service;
  await api.get('/tasks?limit=5&propertyId=property_secretvalue', { 'x-request-id': 'list-1' });
  const { body } = await api.post('/api-keys', { name: 'Another', scopes: ['tasks:read'] });
  madeKey = body.data.key;
  await api.as(madeKey).post('/tasks', { name: 'Forbidden' }, { 'x-request-id': 'forbidden-1' });
  await api.as('sk_live_wrong_key_of_nobody_0123456789').get('/me', { 'x-request-id': 'stranger-1' });
  await api.post('/tasks', { name: 'private words' }, { 'idempotency-key': 'key-of-mine', 'x-request-id': 'made-1' });
  [entry] = (await api.get('/audit-entries?requestId=made-1')).body.data as Json[];
  await mcpOf(`http://localhost:${service.port}`, service.key).call(
    'getTask',
    { taskId: 'none' },
    { headers: { 'x-request-id': 'tool-1' } },
  );
  await api.get('/healthz', { 'x-request-id': 'probe-1' });
  await fetch(`http://localhost:${service.port}/unsubscribe/token`, { headers: { 'x-request-id': 'letter-1' } });
  await api.get(`/tasks/${service.key}/comments`, { 'x-request-id': 'mistake-1' });
  await api.get(`/tasks/${service.key.replaceAll('_', '%5f')}`, { 'x-request-id': 'mistake-2' });
  await api.get('/tasks/%ff', { 'x-request-id': service.key });
  await hangUp('gone-1');
  service.child.kill('SIGTERM');
  await service.ended;
  lines = service.output.stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Json);
});
afterAll(() => service.close());

it('says on standard output that the service stops', () => {
  expect(service.output.stdout.trim().split('\n').at(-1)).toBe('{"stopping":true}');
});

/** Announces a body, sends a part of it and disconnects. */
async function hangUp(requestId: string): Promise<void> {
  const socket = connect(service.port, 'localhost');
  socket.write(
    `POST /api/v1/tasks HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${service.key}\r\nX-Request-Id: ${requestId}\r\nContent-Type: application/json\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n`,
  );
  await once(socket, 'data');
  socket.destroy();
}

const lineOf = (requestId: string): Json => lines.find((line) => line.requestId === requestId);

describe('the request log', () => {
  it('has a line for each request: operation, caller and result', () => {
    const line = lineOf('made-1');
    expect(line).toMatchObject({
      level: 30,
      address: expect.stringMatching(/127\.0\.0\.1$/),
      method: 'POST',
      path: '/api/v1/tasks',
      status: 201,
      operation: 'createTask',
      credential: { kind: 'api-key', id: expect.stringMatching(/^key_[0-9a-f]{32}$/) },
      orgId: expect.stringMatching(/^org_[0-9a-f]{32}$/),
      msg: 'Request',
    });
    expect(line.durationMs).toBeGreaterThan(0);
    expect(line.aborted).toBeUndefined();
  });

  it('has an id of our own for each request, which the audit trail has too', () => {
    expect(entry).toMatchObject({ requestId: 'made-1', logId: lineOf('made-1').logId });
    for (const request of ['made-1', 'forbidden-1', 'stranger-1', 'tool-1', 'letter-1'])
      expect(lineOf(request).logId).toMatch(/^request_[0-9a-f]{32}$/);
    const own = lines.flatMap(({ logId, msg }) => (msg === 'Request' ? [logId as string] : []));
    expect(new Set(own).size).toBe(own.length);
  });

  it('includes rejected requests', () => {
    expect(lineOf('forbidden-1')).toMatchObject({ status: 403, operation: 'createTask' });
    const stranger = lineOf('stranger-1');
    expect(stranger).toMatchObject({ status: 401, operation: 'getMe' });
    expect(stranger.credential).toBeUndefined();
  });

  it('names what a tool call requested', () => {
    expect(lineOf('tool-1')).toMatchObject({ path: '/mcp', status: 200, operation: 'getTask' });
  });

  it('records clients that disconnected before their response', () => {
    expect(lineOf('gone-1')).toMatchObject({ path: '/api/v1/tasks', aborted: true });
  });

  it('leaves out the query and, at this level, the probes', () => {
    expect(lineOf('list-1')).toMatchObject({ path: '/api/v1/tasks', operation: 'listTasks', status: 404 });
    expect(service.output.stderr).not.toContain('secretvalue');
    expect(lineOf('probe-1')).toBeUndefined();
  });

  it('omits the secret parts of a path', () => {
    expect(lineOf('letter-1')).toMatchObject({ path: '/unsubscribe/…', status: 404 });
    for (const id of ['mistake-1', 'mistake-2']) expect(lineOf(id)?.path).toBe('/api/v1/tasks/sk_live_…');
  });

  it('contains no credential and nothing from a body or header', () => {
    expect(madeKey).toMatch(/^sk_live_/);
    for (const secret of [service.key, madeKey, service.key.slice(0, 12), 'Bearer', 'private words', 'key-of-mine']) {
      expect(service.output.stderr).not.toContain(secret);
    }
  });
});
