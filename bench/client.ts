import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';

export interface Load {
  /** Milliseconds from the first byte sent to the last byte received. */
  wallMs: number;
  /** Milliseconds of each request. */
  latenciesMs: number[];
}

const headEnd = Buffer.from('\r\n\r\n');
const lastChunk = Buffer.from('\r\n0\r\n\r\n');

/**
 * Sends prepared requests over this many connections, each sending its next request after the previous response (a
 * closed loop).
 *
 * @throws Error at the first response with another status.
 */
export async function load(
  port: number,
  requests: readonly Buffer[],
  connections: number,
  expectedStatus: number,
): Promise<Load> {
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(port)));
  const latenciesMs: number[] = [];
  let next = 0;
  const work = async (socket: Socket): Promise<void> => {
    const receive = receiver(socket);
    for (let request = requests[next++]; request; request = requests[next++]) {
      const startedAt = performance.now();
      socket.write(request);
      const answer = await receive();
      latenciesMs.push(performance.now() - startedAt);
      if (statusOf(answer) !== expectedStatus) {
        throw new Error(`Expected ${expectedStatus} and got:\n${answer.toString('utf8').slice(0, 2_000)}`);
      }
    }
  };
  const startedAt = performance.now();
  try {
    await Promise.all(sockets.map(work));
    return { wallMs: performance.now() - startedAt, latenciesMs };
  } finally {
    sockets.forEach((socket) => socket.destroy());
  }
}

async function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').setNoDelay(true);
  await once(socket, 'connect');
  return socket;
}

/** Returns the next complete response of a connection: head and body unchanged. */
function receiver(socket: Socket): () => Promise<Buffer> {
  let received: Buffer = Buffer.alloc(0);
  let waiting: { resolve: (answer: Buffer) => void; reject: (error: Error) => void } | undefined;
  socket.on('data', (chunk: Buffer) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    if (!isComplete(received)) return;
    const answer = received;
    received = Buffer.alloc(0);
    waiting?.resolve(answer);
  });
  socket.on('error', (error) => waiting?.reject(error));
  socket.on('close', () => waiting?.reject(new Error('The server closed the connection')));
  return () => new Promise((resolve, reject) => (waiting = { resolve, reject }));
}

/** A connection has one request in progress at a time, so nothing can follow the end of the response. */
function isComplete(bytes: Buffer): boolean {
  const end = bytes.indexOf(headEnd);
  if (end < 0) return false;
  const length = /\r\ncontent-length: *(\d+)/i.exec(bytes.toString('latin1', 0, end + 2))?.[1];
  if (length !== undefined) return bytes.length >= end + headEnd.length + Number(length);
  return bytes.subarray(-lastChunk.length).equals(lastChunk);
}

const statusOf = (answer: Buffer): number => Number(answer.toString('latin1', 9, 12));

/** The bytes of an HTTP/1.1 request with a JSON body, or of the type that `headers` names, or without a body. */
export function httpRequest(
  line: string,
  { token, body, headers = {} }: { token?: string; body?: string; headers?: Record<string, string> },
): Buffer {
  const lines = Object.entries({
    Host: 'localhost',
    ...(token && { Authorization: `Bearer ${token}` }),
    ...(body !== undefined && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}`);
  return Buffer.from([`${line} HTTP/1.1`, ...lines, '', body ?? ''].join('\r\n'));
}
