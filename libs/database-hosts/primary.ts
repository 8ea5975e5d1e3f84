import pg from 'pg';

export interface Host {
  /** A name, an address, or the folder of a Unix socket. */
  host: string;
  port: number;
}

/** How long a server may take to say whether it accepts writes. */
const answerWithinMs = 1_000;
/** Between two looks while there is no primary, so that waiting requests do not become a storm of connections. */
const restMs = 50;

/** Which of several servers accepts writes: asked of all of them when the last one known is lost. */
export class Primary {
  private known?: Host;
  private looking?: Promise<Host>;

  constructor(
    private readonly hosts: readonly Host[],
    private readonly connectionString: string,
  ) {}

  /** @throws Error with code ECONNREFUSED if none accepts writes. */
  async find(): Promise<Host> {
    return this.known ?? (await (this.looking ??= this.look().finally(() => (this.looking = undefined))));
  }

  /** To be called when a connection to this server is lost. */
  forget(host: string, port: number): void {
    if (this.known?.host === host && this.known.port === port) this.known = undefined;
  }

  private async look(): Promise<Host> {
    try {
      this.known = await Promise.any(this.hosts.map((host) => this.accepting(host)));
      return this.known;
    } catch (cause) {
      await new Promise((rested) => setTimeout(rested, restMs));
      throw Object.assign(new Error('No server of the database accepts writes', { cause }), { code: 'ECONNREFUSED' });
    }
  }

  private async accepting(host: Host): Promise<Host> {
    const client = new pg.Client({
      connectionString: this.connectionString,
      connectionTimeoutMillis: answerWithinMs,
      query_timeout: answerWithinMs,
    });
    client.on('error', () => undefined);
    Object.assign(client, host);
    try {
      await client.connect();
      const { rows } = await client.query<{ writes: boolean }>(
        `select not pg_is_in_recovery() and not current_setting('default_transaction_read_only')::boolean as writes`,
      );
      if (rows[0]?.writes !== true) throw new Error(`${host.host} does not accept writes`);
      return host;
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}
