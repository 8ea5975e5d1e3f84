import type { Api } from './api.js';
import { type Door, type doorNames, doors } from './doors.js';
import { anotherOrganization } from './behind-the-api.js';
import { keyWith, propertyOf } from './factories.js';
import { type Service, startApp } from './start-app.js';

/** What the suites of operations share: one service, two properties, and the credentials that a rule may depend on. */
export interface Tenant {
  service: Service;
  orgId: string;
  /** Every scope, at all properties; a limit that no test reaches. */
  api: Api;
  key: string;
  doors: Record<(typeof doorNames)[number], Door>;
  here: string;
  elsewhere: string;
  /** Every scope, only at the property `here`. */
  limited: Api;
  /** Reads everything and changes nothing. */
  reader: Api;
  /** Every scope in another organization. */
  stranger: Api;
  close(): Promise<void>;
}

const reads = ['tasks:read', 'properties:read', 'api-keys:read'];

export async function startTenant(env: Record<string, string> = {}): Promise<Tenant> {
  const service = await startApp(env);
  const { api, key } = await keyWith(service.api);
  const [here, elsewhere] = [await propertyOf(api, 'Here'), await propertyOf(api, 'Elsewhere')];
  const both = doors(service);
  return {
    service,
    orgId: (await api.get('/me')).body.data.organization.id as string,
    api,
    key,
    doors: { rest: both.rest.as(key), mcp: both.mcp.as(key) },
    here,
    elsewhere,
    limited: (await keyWith(api, { propertyIds: [here] })).api,
    reader: (await keyWith(api, { scopes: reads })).api,
    stranger: await anotherOrganization(service),
    close: () => service.close(),
  };
}

/** A response without the one value that differs between two requests. */
export const butForRequestId = ({ status, text }: { status: number; text: string }): [number, string] => [
  status,
  text.replace(/"requestId":"[^"]*"/, '"requestId":""'),
];
