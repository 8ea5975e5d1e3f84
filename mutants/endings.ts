import { type Mutant, mutantsOf, suite } from './mutant.js';

/** What ends with a membership or an organization, and what an export and an import may contain. */
export const endings: Mutant[] = [
  ...mutantsOf('src/auth/leaving/departures.service.ts', 'integration/accounts/own-account', {
    'the last owner leaves': ['if (alone.length > 0) throw', 'if (false) throw'],
    'keys stay valid after their member leaves': [
      'await this.keys.revoke(userId, act, ({ orgId }) => left.has(orgId));',
      '',
    ],
    'leaving one organization leaves all': [
      ' and org_id = any($2) and status',
      ' and $2::uuid[] is not null and status',
    ],
  }),
  ...mutantsOf('src/processes/retention/retention.rules.ts', suite('integration/retention/retention', 'other data'), {
    'rows of sign_ins are kept forever': `  { table: 'sign_ins', where: 't.created_at <= $1', afterMs: 90 * dayMs },\n`,
    'rows of form_submissions are kept forever': `  { table: 'form_submissions', where: 't.created_at <= $1', afterMs: dayMs },\n`,
    'rows of mailed_links are kept forever': `  { table: 'mailed_links', where: 't.expires_at <= $1', afterMs: dayMs },\n`,
    'rows of organization_exports are kept forever': `  { table: 'organization_exports', where: 't.created_at <= $1', afterMs: 7 * dayMs },\n`,
    'rows of mails are kept forever': `  { table: 'mails', where: 't.settled_at <= $1', afterMs: 30 * dayMs },\n`,
    'rows of undo_steps are kept forever': `  { table: 'undo_steps', where: 't.created_at <= $1', afterMs: undoKeptMs },\n`,
    'rows of approvals are kept forever': `  { table: 'approvals', where: 't.ended_at <= $1', afterMs: 90 * dayMs },\n`,
  }),
  ...mutantsOf(
    'src/features/devices/readings/device-readings.repository.ts',
    suite('integration/devices/devices', 'thirty days'),
    { 'readings are kept forever': ['now - keptMs', '0'] },
  ),
  ...mutantsOf(
    'src/outside/webhooks/dispatch-statements.ts',
    suite('integration/events/webhook-dispatch.slow', 'is closed'),
    {
      'a closed organization sends webhook deliveries': [
        "join organizations o on o.id = e.org_id and o.status = 'active'",
        '',
      ],
    },
  ),
  ...mutantsOf(
    'src/outside/connections/connections.repository.ts',
    suite('integration/connections/syncs.slow', 'is closed'),
    {
      'a closed organization syncs': [" and o.status = 'active'", ''],
    },
  ),
  ...mutantsOf('src/tenancy/closing/closings.service.ts', 'integration/ops/portability.slow', {
    'managers close organizations': [" and r.built_in = 'owner'", ''],
    'an erased organization is reopened': [' and erased_at is null and closed_at > $2', ' and $2::text is not null'],
  }),
  ...mutantsOf('src/processes/portability/import-batch.ts', 'integration/ops/portability.slow', {
    'an import writes into other organizations': ["column === 'org_id'", "column === ''"],
  }),
  ...mutantsOf('src/processes/portability/importer.service.ts', 'integration/ops/portability.slow', {
    'an import raises quotas': ['{ ...kept, ...opened }', '{ ...organization, ...opened }'],
    'a rejected import leaves files': 'for (const path of stored) await this.files.remove(path);',
  }),
  ...mutantsOf('src/processes/portability/sealed-columns.ts', suite('integration/ops/portability.slow', 'an export'), {
    'an import stores the secrets of steps as they are': [
      'return this.secrets.seal(shown as Step[], placeOf(owner));',
      'return shown;',
    ],
    'an export contains secrets of versions that no other service can open': [
      'return this.secrets.open(steps as Step[], placeOf(owner));',
      'return steps;',
    ],
    'an export contains secrets of runs that no other service can open': [
      'this.secrets.openInput(operation, input, placeOf(owner))',
      'input',
    ],
  }),
  ...mutantsOf(
    'src/processes/portability/sealed-columns.ts',
    suite('integration/ops/portability.slow', 'from an untrusted source'),
    {
      'steps that are none are imported': "throw notAnExport('It has a workflow whose steps are not valid.');",
    },
  ),
  ...mutantsOf('src/processes/portability/import-lines.ts', 'integration/ops/portability.slow', {
    'an import accepts any file id': ["typeof id !== 'string' || !isFileId.test(id)", 'id === null'],
  }),
  ...mutantsOf('src/features/tasks/attachments/local-disk.store.ts', 'unit/tasks/local-disk-store', {
    'a file may be lost with the power after it was acknowledged': ', flush: true',
    'the name of a file may be lost with the power': 'await flushed(dirname(file));',
  }),
  ...mutantsOf('src/features/tasks/attachments/local-disk.store.ts', 'integration/ops/portability.slow', {
    'files are read and written outside the folder': ['ownPath.test(path)', 'path'],
  }),
  ...mutantsOf('src/auth/approvals-page/rules-page.controller.tsx', 'integration/ops/portability.slow', {
    'rules are shown without the required second factor': ['if (standing.caller?.secondFactorMissing)', 'if (false)'],
  }),
  ...mutantsOf('src/auth/organization-page/organization-page.controller.tsx', 'integration/ops/portability.slow', {
    'an organization is exported without the required second factor': [
      'found.requireTwoFactor && !hasSecondFactor',
      'false',
    ],
    'an organization is closed without its name': [
      "done !== 'closed' || name?.trim() === organization.name",
      'name !== organization.id',
    ],
    'an old session downloads an export': [
      'async download(@Req() request: Request, @Res() response: Response): Promise<void> {\n    const signedIn = await this.sessions.requireFreshFactor(request);',
      'async download(@Req() request: Request, @Res() response: Response): Promise<void> {\n    const signedIn = await this.sessions.require(request);',
    ],
  }),
  ...mutantsOf('src/auth/leaving/departures.service.ts', 'integration/accounts/own-account', {
    'invitations keep the address of a deleted account':
      'await this.database.rows(invitedAs, [uuidIn(userId), email]);',
  }),
];
