import { UsersService } from '../../src/tenancy/people/users.service.js';
import { FoundingService } from '../../src/tenancy/founding/founding.service.js';
import type { Member } from '../../src/tenancy/members/member.entity.js';
import type { Json } from './api.js';
import type { Service } from './start-app.js';

let made = 0;

/** An active member with an account, in the service's first organization. */
export async function addPerson(
  service: Service,
  { role = 'viewer', propertyIds }: { role?: string; propertyIds?: string[] } = {},
): Promise<Member> {
  const { app, api } = service;
  const email = `person-${(made += 1)}@tests.example`;
  const user = await app.get(UsersService).create({ email, name: `Person ${made}`, password: 'some long words' });
  const { id: orgId } = (await api.get('/organization')).body.data;
  const member = { orgId, userId: user.id, email, name: user.name, roleId: await roleNamed(service, role) };
  return await app.get(FoundingService).addMember({ ...member, propertyIds });
}

export async function roleNamed({ api }: Service, name: string): Promise<string> {
  const roles = (await api.get('/roles?limit=100')).body.data as { id: string; name: string }[];
  return (roles.find((role) => role.name === name) as { id: string }).id;
}

/** A key with some scopes, limited to the given properties, if any. */
export async function keyWith({ api }: Service, scopes: string[], propertyIds?: string[]): Promise<string> {
  const { status, body } = await api.post('/api-keys', { name: 'k', scopes, propertyIds });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return (body as Json).data.key as string;
}

export async function addProperty({ api }: Service, name = 'House'): Promise<string> {
  return (await api.post('/properties', { name, timezone: 'UTC' })).body.data.id as string;
}

export const absentId = (prefix: string): string => `${prefix}_${'0'.repeat(32)}`;
