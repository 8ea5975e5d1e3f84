import { type AddressInfo, createServer, type Socket } from 'node:net';

/** A server that accepts every letter. */
export interface LetterSink {
  url: string;
  /** Resolves with the next letter to this address. */
  letterTo(address: string): Promise<void>;
  /** The number of letters by address. */
  received: ReadonlyMap<string, number>;
  close(): void;
}

/**
 * A minimal SMTP server (RFC 5321).
 *
 * @param takesMs over each letter, like a distant server.
 */
export async function startLetterSink(takesMs: number): Promise<LetterSink> {
  const awaited = new Map<string, () => void>();
  const received = new Map<string, number>();
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
    serve(socket, (address, taken) => {
      received.set(address, (received.get(address) ?? 0) + 1);
      setTimeout(() => {
        awaited.get(address)?.();
        taken();
      }, takesMs);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    letterTo: (address) => new Promise((resolve) => awaited.set(address, resolve)),
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

function serve(socket: Socket, come: (address: string, taken: () => void) => void): void {
  let [pending, recipient, isText] = ['', '', false];
  socket.setEncoding('utf8').write('220 sink\r\n');
  socket.on('data', (chunk: string) => {
    pending += chunk;
    if (isText) {
      if (!pending.endsWith('\r\n.\r\n')) return;
      [pending, isText] = ['', false];
      come(recipient, () => socket.write('250 taken\r\n'));
      return;
    }
    const lines = pending.split('\r\n');
    pending = lines.pop() as string;
    for (const line of lines) {
      recipient = /^RCPT TO:<([^>]+)>/i.exec(line)?.[1] ?? recipient;
      isText = line === 'DATA';
      socket.write(isText ? '354 go on\r\n' : line === 'QUIT' ? '221 bye\r\n' : '250 ok\r\n');
    }
  });
}
