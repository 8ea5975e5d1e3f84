import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const lookEveryMs = 100;

/** The latest request of a connection: when it began, and itself until it is answered, because it may be large. */
interface Exchange {
  readonly began: number;
  readonly open?: { readonly request: IncomingMessage; readonly response: ServerResponse };
}

/**
 * Ends connections as soon as the server has closed and they have no request in progress. Node ends those that are idle when
 * it closes. It waits for the others without its usual limits of time: those on which no request has arrived, as browsers
 * open them in advance, those that never send the rest of a request, and those that the client keeps after its last
 * response. A request that has started to arrive keeps its usual limit.
 */
export function endConnectionsAtClose(server: Server): void {
  const latest = new Map<Socket, Exchange | undefined>();
  server.on('connection', (socket: Socket) => {
    latest.set(socket, undefined);
    socket.once('close', () => latest.delete(socket));
  });
  server.on('request', (request, response) => {
    const { socket } = request;
    const began = performance.now();
    latest.set(socket, { began, open: { request, response } });
    response.once('close', () => {
      if (latest.get(socket)?.open?.response === response) latest.set(socket, { began });
    });
  });
  const endOverdue = (): void => {
    server.closeIdleConnections();
    const earliest = performance.now() - server.requestTimeout;
    for (const [socket, exchange] of latest)
      if (exchange && exchange.began < earliest && !isAnswering(exchange)) socket.destroy();
  };
  const close = server.close.bind(server);
  server.close = (closed) => {
    const looking = setInterval(endOverdue, lookEveryMs);
    const closing = close((error) => {
      clearInterval(looking);
      closed?.(error);
    });
    for (const [socket, exchange] of latest) if (!exchange) socket.destroy();
    return closing;
  };
}

const isAnswering = ({ open }: Exchange): boolean =>
  open !== undefined && open.request.complete && !open.response.writableFinished;
