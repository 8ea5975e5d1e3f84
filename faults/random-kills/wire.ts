import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A port that forwards to processes in turn, like a balancer, and whose connections can be cut. */
export class Wire {
  private readonly sockets = new Set<Socket>();
  private turn = 0;

  private constructor(
    private readonly server: Server,
    private readonly targets: readonly { port: number }[],
  ) {}

  static async start(targets: readonly { port: number }[]): Promise<Wire> {
    const server = createServer();
    const wire = new Wire(server, targets);
    server.on('connection', (socket) => wire.forward(socket));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return wire;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get url(): string {
    return `${this.origin}/api/v1`;
  }

  cut(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  close(): void {
    this.server.close();
    this.cut();
  }

  /** To the next process, or to another if that one does not listen. */
  private forward(client: Socket, attempts = this.targets.length): void {
    const target = this.targets[(this.turn += 1) % this.targets.length] as { port: number };
    const upstream = connect(target.port, '127.0.0.1');
    let isConnected = false;
    this.keep(client);
    this.keep(upstream);
    upstream.once('connect', () => {
      isConnected = true;
      client.pipe(upstream).pipe(client);
      client.once('close', () => upstream.destroy());
    });
    upstream.once('close', () => {
      if (isConnected || attempts === 1 || client.destroyed) client.destroy();
      else this.forward(client, attempts - 1);
    });
  }

  private keep(socket: Socket): void {
    if (this.sockets.has(socket)) return;
    this.sockets.add(socket);
    socket.once('close', () => this.sockets.delete(socket)).on('error', () => undefined);
  }
}
