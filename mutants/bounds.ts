import { type Mutant, mutantsOf, suite } from './mutant.js';

const pools = 'unit/threads/pools';
const kinds = 'unit/threads/kinds';
const days = (count: number): string => `${count} * 86_400_000`;

/** Numbers that the documents promise, each changed to another one. */
export const bounds: Mutant[] = [
  ...mutantsOf('src/processes/threads.module.ts', pools, {
    'more threads for requests': ['Math.min(4, Math.max(2, cores - 1))', 'Math.max(3, cores)'],
    'fewer threads for requests': ['Math.min(4, Math.max(2, cores - 1))', '1'],
    'more memory for a request’s thread': ['megabytes: 128,\n  mostWaiting: 24', 'megabytes: 256,\n  mostWaiting: 24'],
    'more requests may wait for a thread': ['mostWaiting: 24', 'mostWaiting: 25'],
    'more requests of one organization may wait for a thread': ['mostWaitingOfOwner: 6', 'mostWaitingOfOwner: 7'],
    'a request may wait longer for a thread': ['waitMs: 5_000', 'waitMs: 6_000'],
    'more memory for a background thread': ['megabytes: 256', 'megabytes: 512'],
    'more background work of one organization may wait': ['mostWaitingOfOwner: 20', 'mostWaitingOfOwner: 21'],
    'background work may wait longer for a thread': ['waitMs: 20_000', 'waitMs: 30_000'],
    'more large bodies may wait for a thread': ['mostWaiting: 100', 'mostWaiting: 101'],
    'a large body may wait longer for a thread': ['waitMs: 10_000', 'waitMs: 15_000'],
  }),
  ...mutantsOf('src/features/templates/template-work.service.ts', kinds, {
    'a template may take longer': ['const withinMs = 1_000', 'const withinMs = 2_000'],
    'MJML may take longer': ['withinMs: 2_000', 'withinMs: 3_000'],
  }),
  ...mutantsOf('src/features/workflows/schedule-work.service.ts', kinds, {
    'a schedule may take longer': ['withinMs: 1_000', 'withinMs: 2_000'],
  }),
  ...mutantsOf('src/features/workflows/writing/workflow-writer.ts', kinds, {
    'a comparison of workflows may take longer': ['withinMs: 2_000', 'withinMs: 3_000'],
  }),
  ...mutantsOf('src/features/reservations/ical/calendar-work.service.ts', kinds, {
    'a calendar may take longer': ['const withinMs = 5_000', 'const withinMs = 6_000'],
  }),
  ...mutantsOf('src/edge/input/large-bodies.ts', kinds, {
    'a large body may take longer': ['withinMs: 5_000', 'withinMs: 6_000'],
  }),
  ...mutantsOf(
    'src/processes/persistence.module.ts',
    suite('integration/edge/database-faults.slow', 'free connections'),
    {
      'more connections for all organizations': ['const tenantConnections = 16', 'const tenantConnections = 17'],
      'more connections for one organization': ['const tenantConnectionsOfOne = 8', 'const tenantConnectionsOfOne = 9'],
    },
  ),
  ...mutantsOf(
    'src/edge/limits/address-limits.ts',
    suite('integration/edge/address-limits.slow', '600 requests|6,000'),
    {
      'more requests for an address': ['const addressLimit = 600', 'const addressLimit = 601'],
      'more requests for a network': ['const networkLimit = 6_000', 'const networkLimit = 6_001'],
    },
  ),
  ...mutantsOf('src/tenancy/quotas/quotas.ts', suite('integration/organizations/quotas.slow', 'over rest'), {
    'another default quota of workflows': ['limit: 500,', 'limit: 501,'],
    'another default quota of endpoints': ['limit: 50,', 'limit: 51,'],
    'an invitation counts for only half a day': ["interval '24 hours'", "interval '12 hours'"],
  }),
  ...mutantsOf(
    'src/tenancy/members/invitations.service.ts',
    suite('integration/organizations/invite-member', 'letter'),
    {
      'more letters a day for an address': ['const mostLettersADay = 3', 'const mostLettersADay = 4'],
      'an address gets a day’s letters in half a day': ['const dayMs = 24 * hourMs', 'const dayMs = 12 * hourMs'],
      'a letter may be repeated after half an hour': ['new Date(now - hourMs)', 'new Date(now - hourMs / 2)'],
      'a letter may be repeated only after two hours': ['new Date(now - hourMs)', 'new Date(now - 2 * hourMs)'],
    },
  ),
  ...mutantsOf('src/console/frame/live.controller.ts', 'integration/console/live.slow', {
    'a person keeps any number of pages up to date': ['if (open > mostOfPerson)', 'if (open < 0)'],
    'a closed page counts as open': ['this.count(signedIn.userId, -1);', ''],
  }),
  ...mutantsOf('src/auth/accounts/device-cookie.ts', suite('integration/accounts/attempts.slow', '180 days'), {
    'a device is known for more than 180 days': [days(180), days(181)],
    'a device is known for less than 180 days': [days(180), days(179)],
  }),
  ...mutantsOf('src/auth/accounts/session.ts', suite('integration/accounts/second-factor', 'ten minutes|last ten'), {
    'a second step may take more than ten minutes': ['secondStepMs = 10 * 60_000', 'secondStepMs = 11 * 60_000'],
    'a second step must take less than ten minutes': ['secondStepMs = 10 * 60_000', 'secondStepMs = 9 * 60_000'],
    'a factor is recent for more than ten minutes': ['freshMs = 10 * 60_000', 'freshMs = 11 * 60_000'],
    'a factor is recent for less than ten minutes': ['freshMs = 10 * 60_000', 'freshMs = 9 * 60_000'],
  }),
  ...mutantsOf('src/features/tasks/task-rules.service.ts', suite('integration/tasks/recurrence', 'a year ago'), {
    'a series may start more than a year ago': [days(366), days(367)],
    'a series may not start a year ago': [days(366), days(365)],
  }),
  ...mutantsOf(
    'src/features/workflows/definition-issues.ts',
    suite('integration/workflows/definitions.slow', 'over rest'),
    {
      'a schedule may start more than a year ago': [days(366), days(369)],
      'a schedule may not start a year ago': [days(366), days(364)],
    },
  ),
  ...mutantsOf(
    'src/auth/api-keys/leaked/leaked-keys.controller.ts',
    suite('integration/auth/api-keys/leaked-keys', 'ten reports'),
    {
      'more reports of leaked keys per hour': ['limit: 10', 'limit: 11'],
      'reports of leaked keys are limited for half an hour': ['windowMs: 3_600_000', 'windowMs: 1_800_000'],
    },
  ),
  ...mutantsOf('src/auth/sign-up/sign-up.service.ts', suite('integration/accounts/sign-up', "of the person's own"), {
    'keys of self-registered organizations have the usual rate limit': ['quotaLimits: ofStrangers', 'quotaLimits: {}'],
  }),
  ...mutantsOf(
    'src/outside/webhooks/dispatcher.ts',
    suite('integration/events/webhook-dispatch.slow', 'up to a limit for each'),
    {
      'more deliveries may be in flight': ['const mostInFlight = 128', 'const mostInFlight = 256'],
    },
  ),
];
