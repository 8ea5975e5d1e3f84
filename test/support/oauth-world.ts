import type { Json } from './api.js';
import { apiOf } from './api.js';
import { type Mcp, mcpOf } from './mcp.js';
import { authorize, type Asked, type Client, type Person, type Tokens } from './oauth.js';
import { type Ops, startOps } from './ops.js';
import { type Service, startApp } from './start-app.js';

export interface Member extends Person {
  memberId: string;
  userId: string;
}

/** A service with two organizations, and people to authorize applications. */
export interface OAuthWorld {
  service: Service;
  ops: Ops;
  lakeside: string;
  alpine: string;
  /** A new person with a role in an organization. */
  person(role?: string, orgId?: string): Promise<Member>;
  /** Another organization of the person; answers the membership's id. */
  join(person: Person, orgId: string, role?: string): Promise<string>;
  /** An application's whole way to its tokens, in Lakeside unless told otherwise. */
  tokensOf(person: Person, asked?: Asked & { orgId?: string; client?: Client }): Promise<Tokens & { client: Client }>;
  rest(token: string): ReturnType<typeof apiOf>;
  mcp(token: string): Mcp;
  close(): Promise<void>;
}

export async function openWorld(env: Record<string, string> = {}): Promise<OAuthWorld> {
  const service = await startApp({ TRUSTED_PROXIES: '1', ...env });
  const ops = await startOps(service);
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
      const person = { email: `person-${(people += 1)}@tests.example`, password: 'a long enough password' };
      const user = await ops(`user create --email ${person.email} --password "${person.password}" --name Eva`);
      return { ...person, userId: user.id as string, memberId: await join(person, orgId, role) };
    },
    tokensOf: (person, { orgId = lakeside, ...asked } = {}) => authorize(service, { ...person, orgId, ...asked }),
    rest: (token) => apiOf(service.url, token),
    mcp: (token) => mcpOf(service.url, token),
    close: async () => {
      await ops.close();
      await service.close();
    },
  };
}
