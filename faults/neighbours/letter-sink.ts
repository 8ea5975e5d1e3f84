import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { LetterSink } from './vector.js';

/** What a server of some distance takes over a letter. */
const takesMs = 300;

/** An SMTP server (RFC 5321) of the few lines that a letter needs. */
export async function startLetterSink(): Promise<LetterSink & { close(): void }> {
  const awaited = new Map<string, () => void>();
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
    serve(socket, (address) => awaited.get(address)?.());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    letterTo: (address) => new Promise((resolve) => awaited.set(address, resolve)),
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

function serve(socket: Socket, come: (address: string) => void): void {
  let [pending, recipient, isText] = ['', '', false];
  socket.setEncoding('utf8').write('220 sink\r\n');
  socket.on('data', (chunk: string) => {
    pending += chunk;
    if (isText) {
      if (!pending.endsWith('\r\n.\r\n')) return;
      [pending, isText] = ['', false];
      const address = recipient;
      setTimeout(() => {
        come(address);
        socket.write('250 taken\r\n');
      }, takesMs);
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
