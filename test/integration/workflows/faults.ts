import { absentId } from '../../support/factories.js';

export const step = (input: object, operation = 'createTask'): object => ({ kind: 'operation', operation, input });
export const rule = (field: string, operator = 'equals', value: unknown = 'x') => ({
  match: 'all',
  rules: [{ field, operator, value }],
});
export const wait = { kind: 'wait', minutes: 5 };
export const schedule = { kind: 'schedule', recurrence: 'FREQ=DAILY', timeOfDay: '09:00', timezone: 'Europe/Lisbon' };
export const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
/** Nested branches, the innermost with a wait. */
const nested = (depth: number): object =>
  depth === 0 ? wait : { kind: 'branch', conditions: rule('event.id'), steps: [nested(depth - 1)] };

/** Invalid definitions: what is wrong, the inputs that make it so, and the paths that the response names. */
export const faults: [string, object, string[]][] = [
  ['an unknown event', { trigger: { kind: 'event', eventType: 'reservation.vanished' } }, ['trigger.eventType']],
  [
    'an event of workflows themselves',
    { trigger: { kind: 'event', eventType: 'workflow_run.failed' } },
    ['trigger.eventType'],
  ],
  [
    'a trigger without the fields of its kind',
    { trigger: { kind: 'schedule', timeOfDay: '09:00' } },
    ['trigger.recurrence', 'trigger.timezone'],
  ],
  ['a trigger with a field of another kind', { trigger: { kind: 'manual', moment: 'arrival' } }, ['trigger.moment']],
  [
    'a schedule that never occurs',
    {
      trigger: { kind: 'schedule', recurrence: 'FREQ=HOURLY', timeOfDay: '09:00', timezone: 'Europe/Lisbon' },
      steps: [wait],
    },
    ['trigger.recurrence'],
  ],
  [
    'a schedule that starts too far in the future',
    {
      trigger: {
        kind: 'schedule',
        recurrence: 'FREQ=DAILY',
        timeOfDay: '23:30',
        timezone: 'America/Los_Angeles',
        startsOn: '9999-12-31',
      },
      steps: [wait],
    },
    ['trigger.startsOn'],
  ],
  [
    'a schedule that started centuries ago',
    { trigger: { ...schedule, startsOn: '1601-01-01' }, steps: [wait] },
    ['trigger.startsOn'],
  ],
  [
    'a schedule that started more than a year ago',
    { trigger: { ...schedule, startsOn: daysAgo(368) }, steps: [wait] },
    ['trigger.startsOn'],
  ],
  ['an unknown operation', { steps: [step({}, 'sweepTask')] }, ['steps.0.operation']],
  ['an operation that creates keys', { steps: [step({}, 'createApiKey')] }, ['steps.0.operation']],
  ['an operation that shows a secret', { steps: [step({}, 'revealWifi')] }, ['steps.0.operation']],
  ['an operation that uses a model', { steps: [step({}, 'create_workflow')] }, ['steps.0.operation']],
  ['an operation that cancels', { steps: [step({}, 'cancelReservation')] }, ['steps.0.operation']],
  [
    'input that the operation does not accept',
    { steps: [step({ name: '', colour: 'red' })] },
    ['steps.0.input.colour', 'steps.0.input.name'],
  ],
  [
    'issues of one step together with those of the next',
    { steps: [step({ name: '' }), { kind: 'webhook', url: 'https://127.0.0.1/' }] },
    ['steps.0.input.name', 'steps.1.url'],
  ],
  [
    'a fact where another type is required',
    { steps: [step({ name: 'x', durationMinutes: '{{event.subject.id}}' })] },
    ['steps.0.input.durationMinutes'],
  ],
  ['an unknown fact', { steps: [step({ name: 'For {{event.data.guestName}}' })] }, ['steps.0.input.name']],
  ['a fact within text that is not text', { steps: [step({ name: 'x {{event.data}}' })] }, ['steps.0.input.name']],
  [
    'an invalid name of a fact',
    { steps: [step({ name: '{{constructor.constructor("x")()}}' })] },
    ['steps.0.input.name'],
  ],
  [
    'the result of a later step',
    { steps: [step({ name: '{{steps.later.id}}' }), { ...step({ name: 'x' }), id: 'later' }] },
    ['steps.0.input.name'],
  ],
  [
    'a missing record',
    { steps: [step({ name: 'x', propertyId: absentId('property') })] },
    ['steps.0.input.propertyId'],
  ],
  ['a condition on an unknown field', { conditions: rule('event.data.colour') }, ['conditions.rules.0.field']],
  ['a list condition without a list', { conditions: rule('event.data.status', 'in') }, ['conditions.rules.0.value']],
  ['a wait without a time', { steps: [{ kind: 'wait' }] }, ['steps.0']],
  [
    'a wait for an unknown stay',
    { trigger: { kind: 'manual' }, steps: [{ kind: 'wait', until: 'arrival' }] },
    ['steps.0.until'],
  ],
  [
    'a message to an unknown guest',
    { trigger: { kind: 'manual' }, steps: [{ kind: 'send_email', templateId: absentId('template'), to: 'guest' }] },
    ['steps.0.to', 'steps.0.templateId'],
  ],
  [
    'a message without its member',
    { steps: [{ kind: 'send_email', templateId: absentId('template'), to: 'member' }] },
    ['steps.0.memberId', 'steps.0.templateId'],
  ],
  ['an internal address', { steps: [{ kind: 'webhook', url: 'https://127.0.0.1/' }] }, ['steps.0.url']],
  [
    'an address with a fact in it',
    { steps: [{ kind: 'webhook', url: 'https://x.example/{{event.id}}' }] },
    ['steps.0.url'],
  ],
  ['a step with fields of another kind', { steps: [{ ...wait, url: 'https://x.example' }] }, ['steps.0.url']],
  [
    'an unknown step within a branch',
    { steps: [{ kind: 'branch', conditions: rule('event.id'), steps: [wait, { kind: 'sing' }] }] },
    ['steps.0.steps.1.kind'],
  ],
  ['branches nested too deeply', { steps: [nested(4)] }, ['steps.0.steps.0.steps.0.steps']],
  [
    'too many steps',
    { steps: [{ kind: 'branch', conditions: rule('event.id'), steps: Array(30).fill(wait) }] },
    ['steps'],
  ],
  [
    'two steps with the same id',
    {
      steps: [
        { ...wait, id: 'a' },
        { ...wait, id: 'a' },
      ],
    },
    ['steps'],
  ],
  ['a missing member', { runAsMemberId: absentId('member') }, ['runAsMemberId']],
];
