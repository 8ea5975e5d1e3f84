import type { Server } from 'node:http';
import type { Socket } from 'node:net';

const lookEveryMs = 100;

/**
 * Ends connections as soon as the server has closed and they have no request in progress. Node ends those that are idle when
 * it closes. It waits for the others without its usual limits of time: those on which no request has arrived, as browsers
 * open them in advance, those that never send the rest of a header, and those that the client keeps after its last response.
 */
export function endConnectionsAtClose(server: Server): void {
  const unused = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  server.on('request', ({ socket }) => unused.delete(socket));
  const close = server.close.bind(server);
  server.close = (closed) => {
    const looking = setInterval(() => server.closeIdleConnections(), lookEveryMs);
    const closing = close((error) => {
      clearInterval(looking);
      closed?.(error);
    });
    for (const socket of unused) socket.destroy();
    return closing;
  };
}
