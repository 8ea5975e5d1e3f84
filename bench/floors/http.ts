import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { createTask, getTask, listTasks, orgOf, port, ready } from './database.js';

async function answer(request: IncomingMessage): Promise<[status: number, body: object]> {
  const orgId = await orgOf(request.headers.authorization);
  if (request.method === 'POST') {
    const input = JSON.parse((await buffer(request)).toString()) as Record<string, unknown>;
    return [201, { data: await createTask(orgId, input) }];
  }
  const [, id] = /^\/api\/v1\/tasks\/(\w+)$/.exec(request.url ?? '') ?? [];
  return [200, { data: id ? await getTask(orgId, id) : await listTasks(orgId) }];
}

function send(response: ServerResponse, status: number, body: object): void {
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': bytes.length }).end(bytes);
}

createServer((request, response) => {
  answer(request).then(
    ([status, body]) => send(response, status, body),
    (error: Error) => send(response, 500, { error: error.message }),
  );
}).listen(port, '127.0.0.1', ready);
