import { SystemDatabase } from '#system-database';
import { ApiKey } from '../../src/auth/api-keys/api-key.entity.js';
import { ApiKeysService } from '../../src/auth/api-keys/api-keys.service.js';
import { FoundingService } from '../../src/tenancy/founding/founding.service.js';
import { machineFor, Member } from '../../src/tenancy/members/member.entity.js';
import { operatorFor } from '../../src/platform/callers/operator.js';
import type { Api } from './api.js';
import { addPerson } from './people.js';
import { type Service, startApp } from './start-app.js';

/** Another organization of the same service, and a client with every scope in it. */
export const anotherOrganization = async (service: Service): Promise<Api> =>
  service.api.as(await foundOrganization(service));

/** The service as one organization sees it, with an owner and a key: for tests that need a new one each. */
export async function freshOrganization(service: Service): Promise<Service> {
  const key = await foundOrganization(service);
  const fresh = { ...service, key, api: service.api.as(key) };
  await addPerson(fresh, { role: 'owner' });
  return fresh;
}

/** One service for the tests of a file, each of which sees it as a new organization. */
export function organizationForEach(): () => Service {
  let started: Service;
  let fresh: Service;
  beforeAll(async () => {
    started = await startApp();
  });
  afterAll(() => started.close());
  beforeEach(async () => {
    fresh = await freshOrganization(started);
  });
  return () => fresh;
}

/** @returns a key with every scope. */
async function foundOrganization({ app }: Service): Promise<string> {
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
    await system.insert(Member, machine);
    await system.insert(ApiKey, record);
  });
  return key;
}

/** A member of the first organization, inserted without the rules. */
export async function memberOf({ app, api }: Service, wishes: Partial<Member> = {}): Promise<string> {
  const orgId = (await api.get('/me')).body.data.organization.id as string;
  const member = Object.assign(machineFor(orgId, 'A member'), wishes);
  const system = app.get(SystemDatabase);
  await system.transaction(() => system.insert(Member, member));
  return member.id;
}
