import { type Mutant, mutantsOf, suite } from './mutant.js';

const quotas = 'integration/organizations/quotas';
const adding = (name: string) => suite(quotas, `${name}: of two`);

/** The quotas of organizations: where each is checked, and what counts. */
export const quotaMutants: Mutant[] = [
  ...mutantsOf('src/tenancy/quotas/quotas.repository.ts', suite(quotas, 'additions wait'), {
    'two additions count the same': '    this.database.defer(orgId, lock, [`quota ${name} ${uuidIn(orgId)}`]);\n',
  }),
  ...mutantsOf('src/tenancy/quotas/quotas.service.ts', adding('templates'), {
    'the place beyond the last is given': ['quota.used + added > quota.limit', 'quota.used + added > quota.limit + 1'],
  }),
  ...mutantsOf('src/tenancy/quotas/quotas.service.ts', suite(quotas, 'does not apply to operators'), {
    'operators meet quotas': ["credential.kind === 'operator' ? undefined", 'false ? undefined'],
  }),
  ...mutantsOf('src/tenancy/quotas/quotas.service.ts', suite(quotas, 'keyRatePerMinute'), {
    'a key with any rate': ['value > quota.limit', 'false'],
  }),
  ...Object.entries({
    connections: 'src/outside/connections/connections.service.ts',
    webhookEndpoints: 'src/outside/webhooks/webhook-endpoints.service.ts',
    apiKeys: 'src/auth/api-keys/api-keys.service.ts',
    templates: 'src/features/templates/templates.service.ts',
    workflows: 'src/features/workflows/workflows.service.ts',
    members: 'src/tenancy/members/new-members.service.ts',
  }).flatMap(([name, file]) =>
    mutantsOf(file, adding(name), { [`${name} without end`]: `await this.quotas.admit(caller, '${name}');` }),
  ),
  ...mutantsOf('src/tenancy/properties/properties.service.ts', adding('properties'), {
    'properties without end': ["await this.quotas.admit(caller, 'properties');\n    const now", 'const now'],
  }),
  ...mutantsOf('src/tenancy/properties/properties.service.ts', suite(quotas, 'not restored'), {
    'a restored property is not counted': [
      "return property;\n    await this.quotas.admit(caller, 'properties');\n    return await this.write(caller, property, { archivedAt: null }",
      'return property;\n    return await this.write(caller, property, { archivedAt: null }',
    ],
  }),
  ...mutantsOf('src/features/tasks/attachments/attachments.service.ts', suite(quotas, 'of two simultaneous files'), {
    'files without end': "await this.quotas.admit(caller, 'attachmentBytes', bytes.length);",
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
    suite('integration/tasks/task-life', 'removeAttachment'),
    {
      'removed files take room for ever': '    this.addBytes(orgId, -bytes);\n',
      'removed files stay in the store': '    this.database.afterCommit(committed);\n',
    },
  ),
  ...mutantsOf('src/features/tasks/tasks.service.ts', suite('integration/tasks/task-life', 'removeAttachment'), {
    'a removed file is named still': [
      '{ files: this.attachments.remove(task, fileId) }',
      '(this.attachments.remove(task, fileId), {})',
    ],
  }),
  ...mutantsOf('src/features/tasks/attachments/file-sweep.ts', suite('integration/retention/retention', 'files'), {
    'files are swept that a request is attaching': ['putAt <= Date.now() - restMs', 'putAt <= Date.now()'],
    'files are swept that a task names': ['if (!kept.has(path)) ', ''],
    'a sweep without end': ['this.store.list(this.after, filesAtOnce)', 'this.store.list(this.after, 1_000_000)'],
    'a sweep that begins again': [
      "this.after = looked.length < filesAtOnce ? '' : (looked.at(-1) as KeptFile).path;",
      '',
    ],
  }),
  ...mutantsOf('src/platform/mail/mail.service.ts', 'integration/mail/mail', {
    'account mail waits behind organizations': ['this.insertText(orgId, mail)', 'this.insertText(null, mail)'],
  }),
  ...mutantsOf('src/platform/mail/mail-lanes.ts', 'integration/mail/mail', {
    'organizations take no turns': [
      'sender_org_id ${compare} $2 order by sender_org_id, author is not null, due_at',
      'sender_org_id is not null and $2::text is not null order by due_at',
    ],
  }),
  ...mutantsOf(
    'src/tenancy/members/invitations.service.ts',
    suite('integration/organizations/invite-member', 'letter'),
    {
      'an invitation is mailed again at once': 'if (recent) return recent.createdAt;',
      'an address gets letters without end': 'if (sent.length >= mostLettersADay) return null;',
    },
  ),
  ...mutantsOf('src/tenancy/members/new-members.service.ts', suite(quotas, 'invitationsPerDay'), {
    'an organization invites without end': "await this.quotas.admit(caller, 'invitationsPerDay');",
  }),
  ...mutantsOf('src/tenancy/members/invitation-mail.ts', suite('integration/accounts/mailed-links', 'quotes'), {
    'a tenant writes a subject': [
      "subject: 'Invitation to Property Operations'",
      'subject: `Invitation to ${organization}`',
    ],
    'a tenant writes in a letter': ['${quoted(organization)}', '> ${organization}'],
  }),
  ...mutantsOf('src/outside/webhooks/webhook-mail.ts', 'unit/mail/letters', {
    'the address of an endpoint is a link in a letter': ['${quoted(url)}', '> ${url}'],
  }),
  ...mutantsOf('src/platform/mail/mail-transport.ts', 'unit/mail/letters', {
    'the name of a sender breaks its line': ['onOneLine(fromName)', 'fromName'],
    'a subject breaks its line': ['onOneLine(subject)', 'subject'],
  }),
  ...mutantsOf('src/platform/mail/quotation.ts', suite('integration/accounts/mailed-links', 'quotes'), {
    'a quotation holds links': '.replaceAll(linking, wordJoiner)',
    'a quotation breaks its line': ".replaceAll(breaks, ' ')",
    'a quotation turns what follows around': ".replaceAll(hidden, '')",
  }),
];
