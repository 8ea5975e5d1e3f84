import { type Mutant, mutantsOf, suite } from './mutant.js';

const pools = 'unit/threads/pools';
const kinds = 'unit/threads/kinds';
const days = (count: number): string => `${count} * 86_400_000`;

/** Numbers that the documents promise, each changed to another one. */
export const bounds: Mutant[] = [
  ...mutantsOf('src/processes/threads.module.ts', pools, {
    'requests have more threads': ['Math.min(4, Math.max(2, cores - 1))', 'Math.max(3, cores)'],
    'requests have fewer threads': ['Math.min(4, Math.max(2, cores - 1))', '1'],
    'a request takes more memory': ['megabytes: 128,\n  mostWaiting: 24', 'megabytes: 256,\n  mostWaiting: 24'],
    'more requests wait for threads': ['mostWaiting: 24', 'mostWaiting: 25'],
    'more requests of one wait for threads': ['mostWaitingOfOwner: 6', 'mostWaitingOfOwner: 7'],
    'a request waits longer for a thread': ['waitMs: 5_000', 'waitMs: 6_000'],
    'background work takes more memory': ['megabytes: 256', 'megabytes: 512'],
    'more background work of one waits': ['mostWaitingOfOwner: 20', 'mostWaitingOfOwner: 21'],
    'background work waits longer': ['waitMs: 20_000', 'waitMs: 30_000'],
    'more bodies wait': ['mostWaiting: 100', 'mostWaiting: 101'],
    'a body waits longer': ['waitMs: 10_000', 'waitMs: 15_000'],
  }),
  ...mutantsOf('src/features/templates/template-work.service.ts', kinds, {
    'a template takes longer': ['const withinMs = 1_000', 'const withinMs = 2_000'],
    'MJML takes longer': ['withinMs: 2_000', 'withinMs: 3_000'],
  }),
  ...mutantsOf('src/features/workflows/schedule-work.service.ts', kinds, {
    'a schedule takes longer': ['withinMs: 1_000', 'withinMs: 2_000'],
  }),
  ...mutantsOf('src/features/workflows/writing/workflow-writer.ts', kinds, {
    'a comparison of workflows takes longer': ['withinMs: 2_000', 'withinMs: 3_000'],
  }),
  ...mutantsOf('src/features/reservations/ical/calendar-work.service.ts', kinds, {
    'a calendar takes longer': ['const withinMs = 5_000', 'const withinMs = 6_000'],
  }),
  ...mutantsOf('src/edge/input/large-bodies.ts', kinds, {
    'a large body takes longer': ['withinMs: 5_000', 'withinMs: 6_000'],
  }),
  ...mutantsOf('src/processes/persistence.module.ts', suite('integration/edge/database-faults', 'free connections'), {
    'all organizations have more connections': ['const tenantConnections = 16', 'const tenantConnections = 17'],
    'an organization has more connections': ['const tenantConnectionsOfOne = 8', 'const tenantConnectionsOfOne = 9'],
  }),
  ...mutantsOf('src/edge/limits/address-limits.ts', suite('integration/edge/address-limits', '600 requests|6,000'), {
    'an address has more requests': ['const addressLimit = 600', 'const addressLimit = 601'],
    'a network has more requests': ['const networkLimit = 6_000', 'const networkLimit = 6_001'],
  }),
  ...mutantsOf('src/tenancy/quotas/quotas.ts', suite('integration/organizations/quotas', 'over rest'), {
    'workflows have another default': ['limit: 500,', 'limit: 501,'],
    'endpoints have another default': ['limit: 50,', 'limit: 51,'],
    'an invitation counts for half a day': ["interval '24 hours'", "interval '12 hours'"],
  }),
  ...mutantsOf(
    'src/tenancy/members/invitations.service.ts',
    suite('integration/organizations/invite-member', 'letter'),
    {
      'an address gets more letters a day': ['const mostLettersADay = 3', 'const mostLettersADay = 4'],
      'an address gets its letters in half a day': ['const dayMs = 24 * hourMs', 'const dayMs = 12 * hourMs'],
      'a letter is repeated after half an hour': ['new Date(now - hourMs)', 'new Date(now - hourMs / 2)'],
      'a letter is not repeated for two hours': ['new Date(now - hourMs)', 'new Date(now - 2 * hourMs)'],
    },
  ),
  ...mutantsOf('src/auth/accounts/device-cookie.ts', suite('integration/accounts/attempts', '180 days'), {
    'a device is known for longer': [days(180), days(181)],
    'a device is known for a shorter time': [days(180), days(179)],
  }),
  ...mutantsOf('src/auth/accounts/session.ts', suite('integration/accounts/second-factor', 'ten minutes|last ten'), {
    'a second step may take longer': ['secondStepMs = 10 * 60_000', 'secondStepMs = 11 * 60_000'],
    'a second step has less time': ['secondStepMs = 10 * 60_000', 'secondStepMs = 9 * 60_000'],
    'a factor is fresh for longer': ['freshMs = 10 * 60_000', 'freshMs = 11 * 60_000'],
    'a factor is fresh for a shorter time': ['freshMs = 10 * 60_000', 'freshMs = 9 * 60_000'],
  }),
  ...mutantsOf('src/features/tasks/task-rules.service.ts', suite('integration/tasks/recurrence', 'a year ago'), {
    'a series begins earlier': [days(366), days(367)],
    'a series begins later': [days(366), days(365)],
  }),
  ...mutantsOf('src/features/workflows/definition-issues.ts', suite('integration/workflows/definitions', 'over rest'), {
    'a schedule begins earlier': [days(366), days(369)],
    'a schedule begins later': [days(366), days(364)],
  }),
  ...mutantsOf(
    'src/auth/api-keys/leaked/leaked-keys.controller.ts',
    suite('integration/auth/api-keys/leaked-keys', 'ten reports'),
    {
      'leaked keys are reported more often': ['limit: 10', 'limit: 11'],
      'leaked keys are reported again sooner': ['windowMs: 3_600_000', 'windowMs: 1_800_000'],
    },
  ),
  ...mutantsOf('src/auth/sign-up/sign-up.service.ts', suite('integration/accounts/sign-up', "of the person's own"), {
    'keys of strangers may be as fast as any': ['quotaLimits: ofStrangers', 'quotaLimits: {}'],
  }),
  ...mutantsOf(
    'src/outside/webhooks/dispatcher.ts',
    suite('integration/events/webhook-dispatch', 'up to a limit for each'),
    {
      'more deliveries are in flight': ['const mostInFlight = 128', 'const mostInFlight = 256'],
    },
  ),
];
