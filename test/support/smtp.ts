import { createServer, type Server, type Socket } from 'node:net';

/**
 * How the server answers a mail: accepts it, rejects it with a code, or reads the text and hangs up or stays silent.
 */
export type Manner = 'accept' | 'hang-up' | 'say-nothing' | number;

/** A minimal SMTP server (RFC 5321) for the tests; it keeps what it received. */
export class SmtpServer {
  readonly letters: string[] = [];
  manner: Manner = 'accept';
  /** Letters with this text are answered only after it is removed. */
  held?: string;
  private readonly waiting: (() => void)[] = [];
  private readonly sockets = new Set<Socket>();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<SmtpServer> {
    const server = createServer();
    const smtp = new SmtpServer(server);
    server.on('connection', (socket) => smtp.serve(socket));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return smtp;
  }

  get url(): string {
    return `smtp://127.0.0.1:${(this.server.address() as { port: number }).port}`;
  }

  async stop(): Promise<void> {
    this.sockets.forEach((socket) => socket.destroy());
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** Answers the letters that were held, and holds no more. */
  release(): void {
    this.held = undefined;
    for (const answer of this.waiting.splice(0)) answer();
  }

  private serve(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('close', () => this.sockets.delete(socket)).on('error', () => undefined);
    let letter: string | undefined;
    let pending = '';
    socket.setEncoding('utf8').write('220 test\r\n');
    socket.on('data', (chunk: string) => {
      pending += chunk;
      if (letter === undefined) {
        const lines = pending.split('\r\n');
        pending = lines.pop() as string;
        for (const line of lines) {
          if (line === 'DATA') letter = '';
          socket.write(line === 'DATA' ? '354 go on\r\n' : line === 'QUIT' ? '221 bye\r\n' : this.answerTo(line));
        }
      }
      if (letter !== undefined && pending.endsWith('\r\n.\r\n')) {
        this.letters.push(pending);
        [letter, pending] = [undefined, ''];
        if (this.manner === 'hang-up') socket.destroy();
        else if (this.held && this.letters.at(-1)?.includes(this.held))
          this.waiting.push(() => socket.write('250 taken\r\n'));
        else if (this.manner !== 'say-nothing') socket.write('250 taken\r\n');
      }
    });
  }

  private answerTo(line: string): string {
    return line.startsWith('RCPT') && typeof this.manner === 'number' ? `${this.manner} no\r\n` : '250 ok\r\n';
  }
}
