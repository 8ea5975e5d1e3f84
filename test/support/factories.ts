import { SystemDatabase } from '#system-database';
import { ApiKey } from '../../src/auth/api-keys/api-key.entity.js';
import { ApiKeysService } from '../../src/auth/api-keys/api-keys.service.js';
import { FoundingService } from '../../src/organizations/founding.service.js';
import { machineFor, Member } from '../../src/organizations/member.entity.js';
import { operatorFor } from '../../src/organizations/operator.js';
import type { Api } from './api.js';
import type { Service } from './start-app.js';

export interface MadeKey {
  id: string;
  key: string;
  api: Api;
}

/** A key that `api` makes; every scope and so high a limit that no test meets it, unless told otherwise. */
export async function keyWith(api: Api, wishes: object = {}): Promise<MadeKey> {
  const { status, body } = await api.post('/api-keys', {
    name: 'A key of the tests',
    scopes: ['*'],
    ratePerMinute: 60_000,
    ...wishes,
  });
  if (status !== 201) throw new Error(`No key was made: ${JSON.stringify(body)}`);
  const { id, key } = body.data as { id: string; key: string };
  return { id, key, api: api.as(key) };
}

export async function propertyOf(api: Api, name = 'Lake House'): Promise<string> {
  const { status, body } = await api.post('/properties', { name, timezone: 'Europe/Lisbon' });
  if (status !== 201) throw new Error(`No property was made: ${JSON.stringify(body)}`);
  return body.data.id as string;
}

export async function taskOf(api: Api, wishes: object = {}): Promise<string> {
  const { status, body } = await api.post('/tasks', { name: 'Change the linen', ...wishes });
  if (status !== 201) throw new Error(`No task was made: ${JSON.stringify(body)}`);
  return body.data.id as string;
}

/** Another organization of the same service, and a client with every scope in it. */
export async function anotherOrganization({ app, api }: Service): Promise<Api> {
  const slug = `org-${Math.random().toString(36).slice(2)}`;
  const { organization } = await app.get(FoundingService).found({ name: 'Another Organization', slug });
  const machine = machineFor(organization.id, 'Its key');
  const { record, key } = app.get(ApiKeysService).draft(operatorFor(organization.id, machine.id), {
    name: machine.name,
    scopes: ['*'],
    memberId: machine.id,
    ratePerMinute: 60_000,
  });
  const system = app.get(SystemDatabase);
  await system.transaction(async () => {
    await system.manager.insert(Member, machine);
    await system.manager.insert(ApiKey, record);
  });
  return api.as(key);
}

/** An id of the API that names nothing. */
export const absentId = (prefix: string): string => `${prefix}_01900000000070008000000000000000`;

/** A member of the first organization, put there past the rules. */
export async function memberOf({ app, api }: Service, wishes: Partial<Member> = {}): Promise<string> {
  const orgId = (await api.get('/me')).body.data.organization.id as string;
  const member = Object.assign(machineFor(orgId, 'A member'), wishes);
  const system = app.get(SystemDatabase);
  await system.transaction(() => system.manager.insert(Member, member));
  return member.id;
}
