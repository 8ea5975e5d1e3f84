import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { type Api, apiOf, type Json } from './api.js';
import { type Mcp, mcpOf } from './mcp.js';
import { authorize, type Asked, type Client, type Person, type Tokens } from './oauth.js';
import { type Ops, startOps } from './ops.js';
import { type Service, startApp } from './start-app.js';
import { TARGET_API_KEY, TARGET_MCP_URL, TARGET_OPS, TARGET_URL } from './target.js';

export interface Member extends Person {
  memberId: string;
  userId: string;
}

/** A deployment has the people of earlier runs. */
export const run = randomBytes(4).toString('hex');

/** A service with two organizations, and people to authorize applications. */
export interface OAuthWorld {
  service: Service;
  ops: Ops;
  lakeside: string;
  alpine: string;
  /** A new person with a role in an organization. */
  person(role?: string, orgId?: string): Promise<Member>;
  /** A client of an organization with a new key: every scope, and a rate that no test reaches. */
  everything(orgId?: string): Promise<Api>;
  /** Another organization of the person; returns the membership's id. */
  join(person: Person, orgId: string, role?: string): Promise<string>;
  /** An application's complete flow to its tokens, in Lakeside by default. */
  tokensOf(person: Person, asked?: Asked & { orgId?: string; client?: Client }): Promise<Tokens & { client: Client }>;
  rest(token: string): ReturnType<typeof apiOf>;
  mcp(token: string): Mcp;
  close(): Promise<void>;
}

export async function openWorld(env: Record<string, string> = {}): Promise<OAuthWorld> {
  const service = await (TARGET_URL ? deployed(TARGET_URL) : startApp({ TRUSTED_PROXIES: '1', ...env }));
  const ops = await (TARGET_URL ? opsThere() : startOps(service));
  const [lakeside, alpine] = [
    (await ops('org create --name "Lakeside Stays"')).id as string,
    (await ops('org create --name "Alpine Lofts"')).id as string,
  ];
  let people = 0;
  const join = async ({ email }: Person, orgId: string, role = 'manager'): Promise<string> =>
    ((await ops(`member add --org ${orgId} --email ${email} --role ${role}`)) as Json).id as string;
  return {
    service,
    ops,
    lakeside,
    alpine,
    join,
    person: async (role = 'manager', orgId = lakeside) => {
      const person = { email: `person-${(people += 1)}-${run}@tests.example`, password: 'a long enough password' };
      const user = await ops(`user create --email ${person.email} --password "${person.password}" --name Eva`);
      return { ...person, userId: user.id as string, memberId: await join(person, orgId, role) };
    },
    everything: async (orgId = lakeside) => {
      const { key } = await ops(`api-key create --org ${orgId} --name All --scopes * --rate-per-minute 60000`);
      return service.api.as(key as string);
    },
    tokensOf: (person, { orgId = lakeside, ...asked } = {}) => authorize(service, { ...person, orgId, ...asked }),
    rest: (token) => apiOf(service.url, token),
    mcp: (token) => mcpOf(TARGET_MCP_URL ?? service.url, token),
    close: async () => {
      await ops.close();
      await service.close();
    },
  };
}

/**
 * What can be known about a remote service. Its operators let the suite's machine name the addresses of its clients.
 */
const deployed = (url: string): Service =>
  ({ url, api: apiOf(url, TARGET_API_KEY), close: () => Promise.resolve() }) as Partial<Service> as Service;

function opsThere(): Ops {
  const ops = async (command: string): Promise<Json> => {
    const { stdout } = await promisify(execFile)('sh', [
      '-c',
      `${TARGET_OPS} ${command.replaceAll('*', `'*'`)} --json`,
    ]);
    return JSON.parse(stdout) as Json;
  };
  return Object.assign(ops, { close: () => Promise.resolve() });
}
