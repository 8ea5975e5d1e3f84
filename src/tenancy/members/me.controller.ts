import { Controller, Inject } from '@nestjs/common';
import { DateTime } from 'luxon';
import type { RequestCaller } from '#access';
import { burstOf } from '#limits';
import { Handles } from '#operations';
import { permissionsIn } from '../../platform/callers/permissions.js';
import { type Config, CONFIG } from '../../platform/config/app.config.js';
import { OrganizationsRepository } from '../organizations/organizations.repository.js';
import { PropertiesRepository } from '../properties/properties.repository.js';
import { getMe } from './me.operations.js';
import type { GetMe, MeView } from './me.dto.js';
import { MembersRepository } from './members.repository.js';

@Controller()
export class MeController {
  constructor(
    private readonly organizations: OrganizationsRepository,
    private readonly members: MembersRepository,
    private readonly properties: PropertiesRepository,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Handles(getMe) async me(caller: RequestCaller, { brief = false }: GetMe): Promise<MeView> {
    const [organization, member, propertyCount] = await Promise.all([
      this.organizations.get(caller.orgId),
      this.members.find(caller.orgId, caller.memberId),
      this.properties.count(caller),
    ]);
    if (!member) throw new Error(`The member ${caller.memberId} is gone`);
    const { credential } = caller;
    const { timezone, region } = organization;
    return {
      credential: credential.kind === 'oauth' ? 'oauth' : 'api-key',
      organization,
      member,
      region,
      now: DateTime.now().setZone(timezone).startOf('second').toISO({ suppressMilliseconds: true }) as string,
      timezone,
      propertyCount,
      ...(!brief && {
        scopes: [...credential.scopes].sort(),
        permissions: [...caller.permissions].sort(),
        propertyIds: caller.propertyIds && [...caller.propertyIds],
      }),
      rateLimit: { perMinute: credential.ratePerMinute, perSecond: burstOf(credential.ratePerMinute) },
      hiddenBecause: whyHidden(caller, permissionsIn(this.config.environment)),
    };
  }
}

/** More would fill the answer, and nobody reads them. */
const mostNamed = 6;

function whyHidden(
  { credential, permissions: held, livePermissions = held, propertyIds }: RequestCaller,
  offered: readonly string[],
): string | null {
  const lacking = offered.filter((permission) => !livePermissions.has(permission));
  const named = lacking.slice(0, mostNamed).join(', ');
  const more = lacking.length > mostNamed ? ` and ${lacking.length - mostNamed} more scopes` : '';
  const who = credential.kind === 'api-key' ? 'This key does not have' : 'Your role does not permit';
  const reasons = [
    ...(lacking.length > 0 ? [`${who} ${named}${more}; tools that need them are not listed.`] : []),
    ...(propertyIds
      ? ['You see only some properties, so tools that change the whole organization are not listed.']
      : []),
  ];
  return reasons.length > 0 ? reasons.join(' ') : null;
}
