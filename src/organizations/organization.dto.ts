import { OmitType } from '@nestjs/swagger';
import { Flag, Id, Int, ListOf, ObjectOf, OneOf, OpenObject, Pattern, Text, Timestamp, TimeZone } from '#operations';
import { type Region, regions } from '#regions';
import { QuotasView } from '../tenancy/quotas/quota.dto.js';
import type { QuotaLimits } from '../tenancy/quotas/quotas.js';

/** Whether members may connect applications that registered themselves. */
export const admissions = ['allowed', 'forbidden'] as const;
export type Admission = (typeof admissions)[number];

const longestKeyDays = 3_650;
const currency = { pattern: /^[A-Z]{3}$/, max: 3, says: 'Give a currency of ISO 4217 such as EUR.' };
/** A CIMD client is known by the address of its document, so ids can be long. */
const clientIds = { max: 200 };

export class UpdateOrganization {
  @Text({ about: 'What the organization is called.', max: 200, optional: true })
  name?: string;

  @TimeZone({ about: 'The IANA time zone that new properties get.', optional: true })
  timezone?: string;

  @Pattern({ about: 'The currency of amounts that name none.', optional: true, ...currency })
  currency?: string;

  @ListOf(
    { text: 35 },
    { about: 'The languages it writes in (BCP 47), its own first.', optional: true, min: 1, max: 50 },
  )
  locales?: string[];

  @Flag({ about: 'Whether people need a second factor here.', optional: true })
  requireTwoFactor?: boolean;

  @Flag({
    about: 'Whether devices may be commanded from here at all; access codes are set all the same.',
    optional: true,
  })
  remoteControlEnabled?: boolean;

  @OneOf(admissions, {
    about:
      'Whether members may connect applications that registered themselves; forbidding ends those that are connected.',
    optional: true,
  })
  selfRegisteredApplications?: Admission;

  @ListOf(
    { text: 2_048 },
    {
      about: 'Client ids that may be connected even so; one that is left out ends, where the others are forbidden.',
      optional: true,
      ...clientIds,
    },
  )
  allowedClientIds?: string[];

  @Int({
    about: 'The longest and the default life of new API keys, in days; null for no limit. Existing keys keep theirs.',
    optional: true,
    nullable: true,
    min: 1,
    max: longestKeyDays,
  })
  maxKeyDays?: number | null;
}

/** What only an operator changes: a call of a model costs whoever runs the service. */
export class OperatorSettings {
  @Int({ about: 'How many model-backed calls may be made in any minute.', optional: true, min: 1, max: 10_000 })
  modelCallsPerMinute?: number;
}

export class OrganizationView {
  @Id('org', { about: 'The organization.' }) id: string;
  @Text({ about: 'What it is called.', max: 200 }) name: string;
  @Text({ about: 'Its short name in addresses and commands.', max: 60 }) slug: string;
  @OneOf(regions, { about: 'The region that holds its data.' }) region: Region;
  @TimeZone({ about: 'The IANA time zone that new properties get.' }) timezone: string;
  @Pattern({ about: 'The currency of amounts that name none.', ...currency }) currency: string;
  @ListOf({ text: 35 }, { about: 'The languages it writes in (BCP 47).', min: 1, max: 50 }) locales: string[];
  @Flag({ about: 'Whether people need a second factor here.' }) requireTwoFactor: boolean;
  @Flag({ about: 'Whether devices may be commanded from here at all; access codes are set all the same.' })
  remoteControlEnabled: boolean;
  @OneOf(admissions, { about: 'Whether members may connect applications that registered themselves.' })
  selfRegisteredApplications: Admission;
  @ListOf({ text: 2_048 }, { about: 'Client ids that may be connected even so.', ...clientIds })
  allowedClientIds: string[];
  @Int({
    about: 'The longest and the default life of new API keys, in days; null for no limit.',
    nullable: true,
    min: 1,
    max: longestKeyDays,
  })
  maxKeyDays: number | null;
  @Int({ about: 'How many model-backed calls may be made in any minute; an operator raises it.', min: 1, max: 10_000 })
  modelCallsPerMinute: number;
  @ObjectOf(() => QuotasView, {
    about: 'The most that it may have of each thing, and how much it has. Additions beyond it get 409 QUOTA_EXCEEDED.',
  })
  quotas: QuotasView;
  @Int({ about: 'Rises with every change; send it as If-Match.', min: 1, max: 2_147_483_647 }) version: number;
  @Timestamp({ about: 'When it was founded.' }) createdAt: string;
  @Timestamp({ about: 'When it last changed.' }) updatedAt: string;
}

/** What an event says of an organization: its settings, without what it uses. */
export class OrganizationEventData extends OmitType(OrganizationView, ['quotas'] as const) {
  @OpenObject({ about: 'The limits of its quotas that differ from the defaults, by name.' })
  quotaLimits: QuotaLimits;
}
