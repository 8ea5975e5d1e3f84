import { type Mutant, mutantsOf, suite } from './mutant.js';

const quotas = 'integration/organizations/quotas.slow';
const adding = (name: string) => suite(quotas, `${name}: of two`);

/** The quotas of organizations: where each is checked, and what counts. */
export const quotaMutants: Mutant[] = [
  ...mutantsOf('src/tenancy/quotas/quotas.repository.ts', suite(quotas, 'additions wait'), {
    'simultaneous additions count the same records':
      '    this.database.defer(orgId, lock, [`quota ${name} ${uuidIn(orgId)}`]);\n',
  }),
  ...mutantsOf('src/tenancy/quotas/quotas.service.ts', adding('templates'), {
    'one record beyond the quota is admitted': [
      'quota.used + added > quota.limit',
      'quota.used + added > quota.limit + 1',
    ],
  }),
  ...mutantsOf('src/tenancy/quotas/quotas.service.ts', suite(quotas, 'does not apply to operators'), {
    'quotas apply to operators': ["credential.kind === 'operator' ? undefined", 'false ? undefined'],
  }),
  ...mutantsOf('src/tenancy/quotas/quotas.service.ts', suite(quotas, 'keyRatePerMinute'), {
    'no limit on the rate of a key': ['value > quota.limit', 'false'],
  }),
  ...Object.entries({
    connections: 'src/outside/connections/connections.service.ts',
    webhookEndpoints: 'src/outside/webhooks/webhook-endpoints.service.ts',
    apiKeys: 'src/auth/api-keys/api-keys.service.ts',
    templates: 'src/features/templates/templates.service.ts',
    workflows: 'src/features/workflows/workflows.service.ts',
    members: 'src/tenancy/members/new-members.service.ts',
  }).flatMap(([name, file]) =>
    mutantsOf(file, adding(name), { [`no limit on ${name}`]: `await this.quotas.admit(caller, '${name}');` }),
  ),
  ...mutantsOf('src/tenancy/properties/properties.service.ts', adding('properties'), {
    'no limit on properties': ["await this.quotas.admit(caller, 'properties');\n    const now", 'const now'],
  }),
  ...mutantsOf('src/tenancy/properties/properties.service.ts', suite(quotas, 'not restored'), {
    'a restored property is not counted': [
      "return property;\n    await this.quotas.admit(caller, 'properties');\n    return await this.write(caller, property, { archivedAt: null }",
      'return property;\n    return await this.write(caller, property, { archivedAt: null }',
    ],
  }),
  ...mutantsOf('src/features/tasks/attachments/attachments.service.ts', suite(quotas, 'of two simultaneous files'), {
    'no limit on files': "await this.quotas.admit(caller, 'attachmentBytes', bytes.length);",
  }),
  ...mutantsOf('src/tenancy/quotas/quotas.ts', adding('connections'), {
    'disconnected connections count': ["rows('connections', `status <> 'disconnected'`)", "rows('connections')"],
  }),
  ...mutantsOf('src/tenancy/quotas/quotas.ts', adding('templates'), {
    'archived templates count': ["rows('email_templates', `status <> 'archived'`)", "rows('email_templates')"],
  }),
  ...mutantsOf('src/tenancy/quotas/quotas.ts', adding('workflows'), {
    'archived workflows count': ["rows('workflows', `status <> 'archived'`)", "rows('workflows')"],
  }),
  ...mutantsOf('src/tenancy/quotas/quotas.ts', adding('members'), {
    'removed members count': [" and status <> 'removed'`", '`'],
  }),
  ...mutantsOf('src/tenancy/quotas/quotas.ts', adding('properties'), {
    'archived properties count': ["rows('properties', 'archived_at is null')", "rows('properties')"],
  }),
  ...mutantsOf('src/tenancy/quotas/quotas.ts', suite(quotas, 'a rotated key'), {
    'a rotated key counts twice': 'successor_id is null and ',
  }),
  ...mutantsOf('src/tenancy/quotas/quotas.ts', suite(quotas, 'expired key'), {
    'expired keys count': ["'infinity') > $2`", "'infinity') > $2 or true`"],
  }),
  ...mutantsOf(
    'src/features/tasks/attachments/files.repository.ts',
    suite('integration/tasks/task-life.slow', 'removeAttachment'),
    {
      'removed files still count': '    this.addBytes(orgId, -bytes);\n',
      'removed files stay in the store': '    this.database.afterCommit(committed);\n',
    },
  ),
  ...mutantsOf('src/features/tasks/tasks.service.ts', suite('integration/tasks/task-life.slow', 'removeAttachment'), {
    'a removed file is still listed': [
      '{ files: this.attachments.remove(task, fileId) }',
      '(this.attachments.remove(task, fileId), {})',
    ],
  }),
  ...mutantsOf('src/features/tasks/attachments/file-sweep.ts', suite('integration/retention/retention', 'files'), {
    'the sweep deletes files that a request is attaching': ['putAt <= Date.now() - restMs', 'putAt <= Date.now()'],
    'the sweep deletes files of tasks': ['if (!kept.has(path)) ', ''],
    'a sweep reads all files at the same time': [
      'this.store.list(this.after, filesAtOnce)',
      'this.store.list(this.after, 1_000_000)',
    ],
    'each sweep starts at the first file': [
      "this.after = looked.length < filesAtOnce ? '' : (looked.at(-1) as KeptFile).path;",
      '',
    ],
  }),
  ...mutantsOf('src/platform/mail/mail.service.ts', 'integration/mail/mail', {
    'account mail waits behind mail of organizations': ['this.insertText(orgId, mail)', 'this.insertText(null, mail)'],
  }),
  ...mutantsOf('src/platform/mail/mail-lanes.ts', 'integration/mail/mail', {
    'organizations do not take turns': [
      'sender_org_id ${compare} $2 order by sender_org_id, author is not null, due_at',
      'sender_org_id is not null and $2::text is not null order by due_at',
    ],
  }),
  ...mutantsOf(
    'src/tenancy/members/invitations.service.ts',
    suite('integration/organizations/invite-member', 'letter'),
    {
      'an invitation is mailed again immediately': 'if (recent) return recent.createdAt;',
      'no limit on letters to an address': 'if (sent.length >= mostLettersADay) return null;',
    },
  ),
  ...mutantsOf('src/tenancy/members/new-members.service.ts', suite(quotas, 'invitationsPerDay'), {
    'no limit on an organization’s invitations': "await this.quotas.admit(caller, 'invitationsPerDay');",
  }),
  ...mutantsOf('src/tenancy/members/invitation-mail.ts', suite('integration/accounts/mailed-links.slow', 'quotes'), {
    'an organization’s name is part of a subject': [
      "subject: 'Invitation to Property Operations'",
      'subject: `Invitation to ${organization}`',
    ],
    'an organization’s name is not quoted in a letter': ['${quoted(organization)}', '> ${organization}'],
  }),
  ...mutantsOf('src/outside/webhooks/webhook-mail.ts', 'unit/mail/letters', {
    'the address of an endpoint is not quoted in a letter': ['${quoted(url)}', '> ${url}'],
  }),
  ...mutantsOf('src/platform/mail/mail-transport.ts', 'unit/mail/letters', {
    'a sender’s name contains line breaks': ['onOneLine(fromName)', 'fromName'],
    'a subject contains line breaks': ['onOneLine(subject)', 'subject'],
  }),
  ...mutantsOf('src/platform/mail/quotation.ts', suite('integration/accounts/mailed-links.slow', 'quotes'), {
    'a quotation contains links': '.replaceAll(linking, wordJoiner)',
    'a quotation contains line breaks': ".replaceAll(breaks, ' ')",
    'a quotation contains characters that reverse the text': ".replaceAll(hidden, '')",
  }),
];
