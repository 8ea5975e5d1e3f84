import { Inject, Injectable } from '@nestjs/common';
import { conflict } from '#errors';
import { newId, violates } from '#persistence';
import { SystemDatabase } from '#system-database';
import { type Config, CONFIG } from '../../platform/config/app.config.js';
import { EventsService } from '../../platform/events/events.service.js';
import { Member, newMember } from '../members/member.entity.js';
import { memberExists } from '../members/members.errors.js';
import { isMemberTwice } from '../members/members.repository.js';
import { Organization } from '../organizations/organization.entity.js';
import { organizationCreated } from '../organizations/organizations.events.js';
import { roleCreated } from '../roles/roles.events.js';
import { memberAdded } from '../members/members.events.js';
import { builtInRoles } from '../../platform/callers/permissions.js';
import type { QuotaLimits } from '../quotas/quotas.js';
import { Role } from '../roles/role.entity.js';

export interface NewOrganization {
  name: string;
  slug?: string;
  /** Settings that differ from the defaults. */
  quotaLimits?: QuotaLimits;
}

export interface NewMember {
  orgId: string;
  userId: string;
  email: string;
  name: string;
  roleId: string;
  propertyIds?: string[] | null;
}

/** Creates organizations, with the system role, because no organization exists yet. */
@Injectable()
export class FoundingService {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly database: SystemDatabase,
    private readonly events: EventsService,
  ) {}

  /**
   * A new organization with its built-in roles. Without a slug, one is derived from its name.
   *
   * @throws conflict_error if the slug is taken.
   */
  async found({
    name,
    slug,
    quotaLimits = {},
  }: NewOrganization): Promise<{ organization: Organization; roles: Role[] }> {
    const stamp = stamps();
    const organization = Object.assign(new Organization(), {
      id: newId('org'),
      name,
      slug: slug ?? (await this.freeSlug(name)),
      region: this.config.region,
      timezone: 'UTC',
      currency: 'USD',
      locales: ['en'],
      requireTwoFactor: false,
      remoteControlEnabled: true,
      selfRegisteredApplications: 'allowed' as const,
      allowedClientIds: [],
      modelCallsPerMinute: 10,
      maxKeyDays: null,
      quotaLimits,
      status: 'active' as const,
      ...stamp,
    });
    const roles = builtInRoles.map((builtIn) =>
      Object.assign(new Role(), {
        orgId: organization.id,
        id: newId('role'),
        name: builtIn,
        builtIn,
        permissions: [],
        ...stamp,
      }),
    );
    try {
      await this.database.transaction(async () => {
        await this.database.insert(Organization, organization);
        await this.database.insert(Role, roles);
        await this.events.recordAbove(service, organizationCreated, { ...organization, orgId: organization.id });
        for (const role of roles) await this.events.recordAbove(service, roleCreated, role);
      });
    } catch (error) {
      if (violates(error, 'organizations_slug'))
        throw conflict('SLUG_TAKEN', `The slug ${organization.slug} is taken. Choose another one.`);
      throw error;
    }
    return { organization, roles };
  }

  /** @throws conflict_error when the person is a member already. */
  async addMember({ propertyIds = null, ...given }: NewMember): Promise<Member> {
    const member = newMember({ ...given, propertyIds, kind: 'user', status: 'active' });
    try {
      await this.database.transaction(async () => {
        await this.database.insert(Member, member);
        await this.events.recordAbove(service, memberAdded, member);
      });
    } catch (error) {
      if (isMemberTwice(error)) throw memberExists(given.email);
      throw error;
    }
    return member;
  }

  private async freeSlug(name: string): Promise<string> {
    const slug = slugOf(name);
    const [taken] = await this.database.rows('select 1 from organizations where slug = $1', [slug]);
    return taken ? `${slug}-${newId('org').slice(-8)}` : slug;
  }
}

/** No member can have founded the organization. */
const service = { type: 'service' } as const;

const stamps = (): { version: number; createdAt: string; updatedAt: string } => {
  const now = new Date().toISOString();
  return { version: 1, createdAt: now, updatedAt: now };
};

/** `Lakeside Stays` → `lakeside-stays`. */
const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 50) || 'organization';
