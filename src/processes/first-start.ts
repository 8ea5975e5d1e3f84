import { Inject, Injectable, Module } from '@nestjs/common';
import type { Caller } from '#access';
import { TenantDatabase } from '#persistence';
import { randomBase62, readApiKey } from '#regions';
import { SystemDatabase } from '#system-database';
import { AccountsModule } from '../auth/accounts/accounts.module.js';
import { UsersService } from '../tenancy/people/users.service.js';
import { type Config, CONFIG } from '../platform/config/app.config.js';
import { ApiKey } from '../auth/api-keys/api-key.entity.js';
import { ApiKeysModule } from '../auth/api-keys/api-keys.module.js';
import { apiKeyCreated } from '../auth/api-keys/api-keys.events.js';
import { ApiKeysService } from '../auth/api-keys/api-keys.service.js';
import type { DemoView } from './demo/demo.dto.js';
import { DemoModule } from './demo/demo.module.js';
import { DemoAutomation } from './demo/demo-automation.service.js';
import { DemoExamples } from './demo/demo-examples.service.js';
import { DemoService } from './demo/demo.service.js';
import { AuditService } from '../platform/audit/audit.service.js';
import { EventsModule } from '../platform/events/events.module.js';
import { EventsService } from '../platform/events/events.service.js';
import { FoundingService } from '../tenancy/founding/founding.service.js';
import { machineFor, Member } from '../tenancy/members/member.entity.js';
import { memberAdded } from '../tenancy/members/members.events.js';
import { OrganizationsModule } from '../tenancy/organizations.module.js';
import { permissionNames } from '../platform/callers/permissions.js';
import { serviceCaller } from '../platform/callers/service-caller.js';
import type { Role } from '../tenancy/roles/role.entity.js';

/** The values generated at the first start, shown only this once. */
export interface Generated {
  email?: string;
  password?: string;
  apiKey?: string;
  /** What the demo holds. */
  demo?: DemoView;
  /** Whether this start founded the organization. */
  isFirst?: boolean;
}

const service = { type: 'service' } as const;

/** With every permission, since the first key may do everything. */
const firstStartIn = (orgId: string, memberId: string) => serviceCaller(orgId, memberId, permissionNames);

/**
 * On an empty database, creates one organization with demo data, its owner and one key with every scope. On any other,
 * it does nothing.
 */
@Injectable()
export class FirstStart {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly system: SystemDatabase,
    private readonly tenant: TenantDatabase,
    private readonly users: UsersService,
    private readonly founding: FoundingService,
    private readonly apiKeys: ApiKeysService,
    private readonly demo: DemoService,
    private readonly automation: DemoAutomation,
    private readonly examples: DemoExamples,
    private readonly events: EventsService,
    private readonly audit: AuditService,
  ) {}

  /**
   * @param demo whether the organization is filled with demo data.
   * @throws Error when ADMIN_API_KEY cannot be a key.
   */
  prepare({ demo }: Pick<Config, 'demo'>): Promise<Generated> {
    return this.audit.during({ action: 'first start', actor: service }, () => this.prepareNow(demo));
  }

  private async prepareNow(demo: boolean): Promise<Generated> {
    const founded = await this.system.exclusive('first start', async () => {
      const [organization] = await this.system.rows('select 1 from organizations limit 1');
      return organization ? undefined : await this.found();
    });
    if (!founded) return {};
    const { orgId, id } = founded.owner;
    const filled = demo ? await this.fill(firstStartIn(orgId, id)) : undefined;
    return { ...founded.generated, demo: filled, isFirst: true };
  }

  private async fill(caller: Caller): Promise<DemoView> {
    const { orgId } = caller;
    const filled = await this.tenant.transaction(orgId, async () => {
      await this.automation.addReceiver(caller);
      return await this.demo.fill(caller);
    });
    await this.tenant.transaction(orgId, () => this.automation.addWorkflow(caller));
    await this.examples.add(caller);
    return filled;
  }

  private async found(): Promise<{ owner: Member; generated: Generated }> {
    const { admin } = this.config;
    const email = admin.email ?? 'owner@example.com';
    const password = admin.password ?? randomBase62().slice(0, 22);
    if (admin.apiKey) refuseUnusableKey(admin.apiKey, this.config);
    const { organization, roles } = await this.founding.found({ name: 'My Organization' });
    const user = await this.users.create({ email, name: 'Owner', password });
    const owner = await this.founding.addMember({
      orgId: organization.id,
      userId: user.id,
      email,
      name: 'Owner',
      roleId: (roles.find(({ builtIn }) => builtIn === 'owner') as Role).id,
    });
    const machine = machineFor(organization.id, 'First key');
    const { record, key } = this.apiKeys.draft(
      firstStartIn(organization.id, owner.id),
      { name: machine.name, scopes: ['*'], memberId: machine.id },
      admin.apiKey,
    );
    await this.system.insert(Member, machine);
    await this.events.recordAbove(service, memberAdded, machine);
    await this.system.insert(ApiKey, record);
    await this.events.recordAbove(service, apiKeyCreated, record);
    const generated = {
      ...(!admin.email && { email }),
      ...(!admin.password && { password }),
      ...(!admin.apiKey && { apiKey: key }),
    };
    return { owner, generated };
  }
}

/** @throws Error for a key that could not authenticate any request. */
export function refuseUnusableKey(key: string, { environment, region }: Pick<Config, 'environment' | 'region'>): void {
  const parts = readApiKey(key);
  if (parts?.environment !== environment) {
    throw new Error(
      `ADMIN_API_KEY must begin with sk_${environment}_, followed by at least 24 of A-Z, a-z, 0-9 and _.`,
    );
  }
  if (parts.region && parts.region !== region) {
    throw new Error(
      `ADMIN_API_KEY belongs to region ${parts.region}, but this is ${region}. Set a key of this region.`,
    );
  }
  if (!parts.intact) {
    throw new Error(
      'ADMIN_API_KEY has the form of a generated key, but its last 6 characters do not match the rest. Check it.',
    );
  }
}

@Module({
  imports: [AccountsModule, EventsModule, OrganizationsModule, ApiKeysModule, DemoModule],
  providers: [FirstStart],
})
export class FirstStartModule {}
