import { callbackify } from 'node:util';
import pg from 'pg';
import { type Host, Primary } from './primary.js';

/** How node-postgres connects to a database that may have several servers. */
export interface DatabaseHosts {
  /** Names one server, since node-postgres reads no more. */
  connectionString: string;
  /** The class for clients and pools; with several servers, it connects to the primary among them. */
  Client: typeof pg.Client;
}

const known = new Map<string, DatabaseHosts>();

/**
 * Reads a connection URL with one server or several, as libpq does: `postgresql://user@a:5432,b:5432/name` or
 * `postgresql://user@/name?host=/run/a,/run/b`. Of several, the one that accepts writes is used
 * (`target_session_attrs=read-write`, the default here). One URL shares what is known of its servers.
 *
 * @throws Error that says what is wrong with the URL.
 */
export function databaseHosts(url: string): DatabaseHosts {
  const found = known.get(url) ?? read(url);
  known.set(url, found);
  return found;
}

function read(url: string): DatabaseHosts {
  const { scheme, path, parameters, hosts } = partsOf(url);
  const wanted = parameters.get('target_session_attrs') ?? 'read-write';
  if (!['read-write', 'primary'].includes(wanted))
    throw new Error(`target_session_attrs must be read-write; it is "${wanted}".`);
  parameters.delete('target_session_attrs');

  const [first] = hosts;
  if (!first || hosts.length === 1) return { connectionString: url, Client: pg.Client };
  for (const name of ['host', 'port']) parameters.delete(name);
  const others = parameters.size > 0 ? `&${parameters.toString()}` : '';
  const server = `?host=${encodeURIComponent(first.host)}&port=${first.port}`;
  const connectionString = `${scheme}localhost${path}${server}${others}`;
  return { connectionString, Client: clientOf(new Primary(hosts, connectionString)) };
}

/** The servers that a URL names, by host and port; a host may be the folder of a socket. */
export const serversOf = (url: string): Host[] => (/^(socket:|\/)/.test(url) ? [] : partsOf(url).hosts);

function partsOf(url: string): { scheme: string; path: string; parameters: URLSearchParams; hosts: Host[] } {
  const [, scheme = '', authority = '', rest = ''] =
    /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?]*)(.*)$/s.exec(url) ?? [];
  const [path = '', query = ''] = rest.split(/\?(.*)/s);
  const parameters = new URLSearchParams(query);
  return { scheme, path, parameters, hosts: hostsOf(authority, parameters) };
}

function hostsOf(authority: string, parameters: URLSearchParams): Host[] {
  const named = parameters.get('host') ?? '';
  const ports = (parameters.get('port') ?? '').split(',');
  const servers = named
    ? named.split(',').map((host, index) => [host, ports[index] ?? ports[0]])
    : authority.split(',').map(split);
  return servers.map(([host, port]) => ({ host: host || 'localhost', port: Number(port || 5432) }));
}

/** `db.example.com:5433`, `[::1]:5433`. */
const split = (server: string): (string | undefined)[] => {
  const [, host, port] = /^\[?([^\]]*?)\]?(?::(\d+))?$/.exec(server) ?? [];
  return [host, port];
};

/** A client whose server is chosen when it connects. */
function clientOf(primary: Primary): typeof pg.Client {
  return class extends pg.Client {
    override connect(): Promise<this>;
    override connect(callback: (error: Error | null) => void): void;
    override connect(callback?: (error: Error | null) => void): Promise<this> | void {
      if (!callback) return this.connectToPrimary();
      callbackify(() => this.connectToPrimary())(callback);
    }

    private async connectToPrimary(): Promise<this> {
      const { host, port } = await primary.find();
      Object.assign(this, { host, port });
      const forget = (): void => primary.forget(host, port);
      this.once('error', forget);
      try {
        await super.connect();
        return this;
      } catch (error) {
        forget();
        throw error;
      }
    }
  };
}
