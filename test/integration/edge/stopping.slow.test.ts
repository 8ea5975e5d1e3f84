import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { until } from '../../support/feed.js';
import { startApp } from '../../support/start-app.js';

/** A connection on which this has been sent. */
async function connection(url: string, sent: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  await once(socket, 'connect');
  if (sent) socket.write(sent);
  return socket;
}

it.each([
  ['sends nothing', ''],
  ['has sent a part of a request', 'GET /healthz HTTP/1.1\r\nHost: a'],
])('the service stops although a client %s', async (_, sent) => {
  const service = await startApp();
  const socket = await connection(service.url, sent);
  // The server has seen the connection when it has answered a later one.
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
  await Promise.all([once(socket, 'close'), service.close()]);
});

it('the service finishes a request in progress before it stops, and keeps no connection after it', async () => {
  const service = await startApp();
  const body = JSON.stringify({ name: 'Last' });
  const head = `POST /api/v1/tasks HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${service.key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
  const socket = await connection(service.url, head);
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
  const server = service.app.getHttpServer() as Server;
  const closed = service.close();
  await until(
    () => Promise.resolve(server.listening),
    (isListening) => !isListening,
  );
  const answer = once(socket, 'data');
  socket.write(body);
  expect(String(await answer)).toMatch(/^HTTP\/1\.1 201 /);
  await Promise.all([once(socket, 'close'), closed]);
});

it.each([
  ['the body of its request', 'POST /oauth/token HTTP/1.1\r\nHost: a\r\nContent-Length: 400\r\n\r\ngrant_type='],
  ['its second request', 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\nGET /healthz HTTP/1.1\r\nHost: a'],
])('the service stops once a client has exceeded the time to send %s', async (_, sent) => {
  const service = await startApp();
  const server = service.app.getHttpServer() as Server;
  server.requestTimeout = 300;
  const socket = await connection(service.url, sent);
  socket.resume();
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
  await Promise.all([once(socket, 'close'), service.close()]);
});
