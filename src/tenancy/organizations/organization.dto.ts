import {
  Currency,
  Flag,
  Id,
  Int,
  ListOf,
  ObjectOf,
  OmitType,
  OneOf,
  OpenObject,
  Text,
  Timestamp,
  TimeZone,
} from '#operations';
import { type Region, regions } from '#regions';
import { QuotasView } from '../quotas/quota.dto.js';
import type { QuotaLimits } from '../quotas/quotas.js';

/** Whether members may connect applications that registered themselves. */
export const admissions = ['allowed', 'forbidden'] as const;
export type Admission = (typeof admissions)[number];

const longestKeyDays = 3_650;
/** A CIMD client is known by the address of its document, so ids can be long. */
const clientIds = { max: 200 };

export class UpdateOrganization {
  @Text({ description: 'Name of the organization.', max: 200, optional: true })
  name?: string;

  @TimeZone({ description: 'IANA time zone of new properties.', optional: true })
  timezone?: string;

  @Currency({ description: 'Default currency of amounts (ISO 4217).', optional: true })
  currency?: string;

  @ListOf(
    { text: 35 },
    { description: 'Languages of the organization (BCP 47), main language first.', optional: true, min: 1, max: 50 },
  )
  locales?: string[];

  @Flag({ description: 'Whether people need a second factor.', optional: true })
  requireTwoFactor?: boolean;

  @Flag({
    description: 'Whether commands to devices are allowed; access codes are always set.',
    optional: true,
  })
  remoteControlEnabled?: boolean;

  @OneOf(admissions, {
    description:
      'Whether members may connect applications that registered themselves; forbidden revokes the connected ones.',
    optional: true,
  })
  selfRegisteredApplications?: Admission;

  @ListOf(
    { text: 2_048 },
    {
      description:
        'Client ids that are always allowed; those removed from the list are revoked if other applications are forbidden.',
      optional: true,
      ...clientIds,
    },
  )
  allowedClientIds?: string[];

  @Int({
    description:
      'Maximum and default lifetime of new API keys in days; null for no limit. Existing keys do not change.',
    optional: true,
    nullable: true,
    min: 1,
    max: longestKeyDays,
  })
  maxKeyDays?: number | null;
}

/** Settings that only an operator changes, because calls of a model cost the operator money. */
export class OperatorSettings {
  @Int({ description: 'Model-backed calls per minute.', optional: true, min: 1, max: 10_000 })
  modelCallsPerMinute?: number;
}

export class OrganizationView {
  @Id('org', { description: 'Organization id (org_…).' }) id: string;
  @Text({ description: 'Name of the organization.', max: 200 }) name: string;
  @Text({ description: 'Short name in addresses and commands.', max: 60 }) slug: string;
  @OneOf(regions, { description: 'Region that stores the data.' }) region: Region;
  @TimeZone({ description: 'IANA time zone of new properties.' }) timezone: string;
  @Currency({ description: 'Default currency of amounts (ISO 4217).' }) currency: string;
  @ListOf(
    { text: 35 },
    { description: 'Languages of the organization (BCP 47), main language first.', min: 1, max: 50 },
  )
  locales: string[];
  @Flag({ description: 'Whether people need a second factor.' }) requireTwoFactor: boolean;
  @Flag({ description: 'Whether commands to devices are allowed; access codes are always set.' })
  remoteControlEnabled: boolean;
  @OneOf(admissions, { description: 'Whether members may connect applications that registered themselves.' })
  selfRegisteredApplications: Admission;
  @ListOf({ text: 2_048 }, { description: 'Client ids that are always allowed.', ...clientIds })
  allowedClientIds: string[];
  @Int({
    description: 'Maximum and default lifetime of new API keys in days; null for no limit.',
    nullable: true,
    min: 1,
    max: longestKeyDays,
  })
  maxKeyDays: number | null;
  @Int({
    description: 'Model-backed calls per minute; only an operator can raise it.',
    min: 1,
    max: 10_000,
  })
  modelCallsPerMinute: number;
  @ObjectOf(() => QuotasView, {
    description: 'Limit and usage of each quota. Additions over the limit get 409 QUOTA_EXCEEDED.',
  })
  quotas: QuotasView;
  @Int({ description: 'Version, increased by every change; send it as If-Match.', min: 1, max: 2_147_483_647 })
  version: number;
  @Timestamp({ description: 'When the organization was created.' }) createdAt: string;
  @Timestamp({ description: 'When the organization was last changed.' }) updatedAt: string;
}

/** An organization in events: its settings, without its usage. */
export class OrganizationEventData extends OmitType(OrganizationView, ['quotas'] as const) {
  @OpenObject({ description: 'Quota limits that differ from the defaults, by name.' })
  quotaLimits: QuotaLimits;
}
