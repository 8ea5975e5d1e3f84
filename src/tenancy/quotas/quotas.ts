/** How much of one thing an organization may have. */
interface Quota {
  /** The limit of an organization that an operator gave no other. */
  limit: number;
  /** What an operator may set it to. */
  least: number;
  most: number;
  /** One sentence for the reference. */
  description: string;
  /** The next step, for the error message. */
  next: string;
  /** SQL that counts the usage of the organization `$1` at the time `$2`. */
  used: string;
}

const mebibyte = 1_048_576;
const most = 1_000_000;

/** Ended rows do not count: archived, removed, disconnected, revoked, expired or replaced ones. */
const rows = (table: string, where = 'true'): string => `select count(*) from ${table} where org_id = $1 and ${where}`;

const worksStill = `coalesce(revoked_at, expires_at, 'infinity') > $2`;

/** Every quota. A feature calls `Quotas.admit` before it adds; docs/limits.md is the table for people. */
export const quotas = {
  attachmentBytes: {
    limit: 5_120 * mebibyte,
    least: 0,
    most: 1_048_576 * mebibyte,
    description: 'Bytes of all files attached to tasks, including archived tasks.',
    next: 'Remove attachments with removeAttachment',
    used: 'select coalesce(sum(bytes), 0) from attachment_totals where org_id = $1',
  },
  connections: {
    limit: 200,
    least: 0,
    most,
    description: 'Connections that are not disconnected.',
    next: 'Disconnect a connection with disconnectConnection',
    used: rows('connections', `status <> 'disconnected'`),
  },
  webhookEndpoints: {
    limit: 50,
    least: 0,
    most,
    description: 'Webhook endpoints, including disabled ones.',
    next: 'Delete an endpoint with deleteWebhookEndpoint',
    used: rows('webhook_endpoints'),
  },
  apiKeys: {
    limit: 200,
    least: 0,
    most,
    description: 'API keys that are neither revoked, expired nor replaced by a rotation.',
    next: 'Revoke a key with revokeApiKey',
    used: rows('api_keys', `successor_id is null and ${worksStill}`),
  },
  keyRatePerMinute: {
    limit: 60_000,
    least: 1_000,
    most: 60_000,
    description: 'The highest ratePerMinute of one API key.',
    next: 'Choose a lower ratePerMinute',
    used: `select coalesce(max(rate_per_minute), 0) from api_keys where org_id = $1 and ${worksStill}`,
  },
  templates: {
    limit: 1_000,
    least: 0,
    most,
    description: 'Email templates that are not archived.',
    next: 'Archive a template with archiveEmailTemplate',
    used: rows('email_templates', `status <> 'archived'`),
  },
  workflows: {
    limit: 500,
    least: 0,
    most,
    description: 'Workflows that are not archived.',
    next: 'Archive a workflow with archiveWorkflow',
    used: rows('workflows', `status <> 'archived'`),
  },
  members: {
    limit: 2_000,
    least: 0,
    most,
    description: 'Invited, active and suspended people; the quota apiKeys limits machines.',
    next: 'Remove a member with removeMember',
    used: rows('members', `kind = 'user' and status <> 'removed'`),
  },
  invitationsPerDay: {
    limit: 100,
    least: 0,
    most: 10_000,
    description: 'Invitations mailed within the last 24 hours.',
    next: 'Invite more people tomorrow',
    used: `select count(distinct (lower(email), invitation_sent_at)) from members
      where org_id = $1 and invitation_sent_at > $2::timestamptz - interval '24 hours'`,
  },
  properties: {
    limit: 5_000,
    least: 0,
    most,
    description: 'Properties that are not archived.',
    next: 'Archive a property with archiveProperty',
    used: rows('properties', 'archived_at is null'),
  },
  approvalRules: {
    limit: 200,
    least: 0,
    most: 1_000,
    description: 'Rules about approval by a person.',
    next: 'Remove a rule on the page of approval rules',
    used: rows('approval_rules'),
  },
} as const satisfies Record<string, Quota>;

export type QuotaName = keyof typeof quotas;

export const quotaNames = Object.keys(quotas) as QuotaName[];

export const isQuota = (name: string): name is QuotaName => Object.hasOwn(quotas, name);

/** The limits that an organization was given in place of the defaults. */
export type QuotaLimits = Partial<Record<QuotaName, number>>;
