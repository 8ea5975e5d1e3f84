import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createFake } from '@seamapi/fake-seam-connect';

/** How Seam treats the next requests: commands, or everything. */
export type SeamTreatment = 'ok' | 'refuse' | 'busy' | 'lose-answer' | 'malformed' | 'hang' | 'slow' | 'malformed-all';

export interface SeamServer {
  /** The value of `endpoint`. */
  url: string;
  /** A workspace with locks and a thermostat: its key, and the ids of its devices. */
  apiKey: string;
  lock: string;
  thermostat: string;
  treat(how: SeamTreatment): void;
  /** How often a device did what a command told it. */
  effects(deviceId: string): number;
  /** The requested paths, oldest first. */
  asked: string[];
  close(): Promise<void>;
}

const commands = /^\/(locks\/(un)?lock_door|thermostats\/(heat|cool|heat_cool|off|set_hvac_mode))$/;

/** Seam's own fake, which speaks its protocol, behind a connection that can fail. */
export async function startSeamServer(): Promise<SeamServer> {
  const fake = await createFake();
  const seeded = await fake.seed();
  await fake.startServer();
  const counts = new Map<string, number>();
  const asked: string[] = [];
  let how: SeamTreatment = 'ok';
  let pendingAnswers = 0;

  const pass = async (request: IncomingMessage, body: Buffer): Promise<{ status: number; text: string }> => {
    const { headers, method } = request;
    const answer = await fetch(`${fake.serverUrl}${request.url}`, {
      method,
      headers: { authorization: headers.authorization ?? '', 'content-type': headers['content-type'] ?? '' },
      ...(body.length > 0 && { body: new Uint8Array(body) }),
    });
    return { status: answer.status, text: await answer.text() };
  };

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const path = (request.url as string).split('?')[0] as string;
    const isCommand = commands.test(path);
    asked.push(path);
    const say = (status: number, text: string): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(text);
    };
    const refuse = (status: number, type: string): void =>
      say(status, JSON.stringify({ error: { type, message: type } }));
    if (how === 'malformed-all') return say(200, '{"devices": [{"device_id": 7}], "acti');
    if (isCommand && how === 'refuse') return refuse(400, 'invalid_input');
    if (isCommand && how === 'busy') return refuse(429, 'rate_limit_exceeded');
    const { status, text } = await pass(request, body);
    if (isCommand && status === 200) {
      const { device_id: device } = JSON.parse(body.toString()) as { device_id: string };
      counts.set(device, (counts.get(device) ?? 0) + 1);
      if (how === 'lose-answer') return void response.destroy();
      if (how === 'malformed') return say(200, '<html>It worked</html>');
      if (how === 'hang') return;
    }
    if (path === '/action_attempts/get' && pendingAnswers > 0) {
      pendingAnswers -= 1;
      const { action_attempt: attempt } = JSON.parse(text) as { action_attempt: object };
      return say(200, JSON.stringify({ action_attempt: { ...attempt, status: 'pending' } }));
    }
    say(status, text);
  };

  const server = createServer((request, response) => void serve(request, response)).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    apiKey: seeded.seam_apikey1_token,
    lock: seeded.august_device_1,
    thermostat: seeded.ecobee_device_1,
    treat: (next) => {
      how = next;
      pendingAnswers = next === 'slow' ? 2 : 0;
    },
    effects: (device) => counts.get(device) ?? 0,
    asked,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await fake.stopServer();
    },
  };
}
