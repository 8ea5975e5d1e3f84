import type { JsonSchema } from '#operations';
import { type TriggerKind, triggerKinds, type WorkflowTrigger } from '../../../workflows/definition.dto.js';
import { allSteps, type Step } from '../../../workflows/definition.js';

/**
 * What a workflow is to be made of. It is chosen by the instruction alone, before the model sees anything that guests,
 * other systems or names brought: whatever they say, no step of another kind and no other address can come of it.
 */
export interface Plan {
  /** A type of event, or another kind of trigger. */
  trigger: string;
  /** Operations, and the kinds of steps that act by themselves. */
  does: string[];
}

/** Among what a plan may choose. */
export interface Offer {
  eventTypes: readonly string[];
  operations: readonly string[];
  /** Those that a webhook step may tell. */
  addresses: readonly string[];
  /** Whether there is an email template that may be sent. */
  hasTemplates: boolean;
}

const otherKinds = triggerKinds.filter((kind) => kind !== 'event');
const likelyEvents = ['reservation.moved', 'reservation.created', 'reservation.cancelled', 'reservation.checked_out'];
const likelyOperation = 'createTask';

/** The likelier first, which is also what a model reads best. */
const ordered = (names: readonly string[], likely: readonly string[]): string[] => [
  ...likely.filter((name) => names.includes(name)),
  ...names.filter((name) => !likely.includes(name)),
];

/** Everything that a plan may have done. */
export const offered = ({ operations, addresses, hasTemplates }: Offer): string[] => [
  ...ordered(operations, [likelyOperation]),
  ...(hasTemplates ? ['send_email'] : []),
  ...(addresses.length > 0 ? ['webhook'] : []),
];

export const planSchema = (offer: Offer): JsonSchema => ({
  type: 'object',
  properties: {
    trigger: { type: 'string', enum: [...ordered(offer.eventTypes, likelyEvents), ...otherKinds] },
    does: {
      type: 'array',
      minItems: 1,
      maxItems: 10,
      items: { type: 'string', enum: offered(offer) },
    },
  },
  required: ['trigger', 'does'],
  additionalProperties: false,
});

export const planRules = [
  'You plan automations for a company that lets holiday homes and hotel rooms.',
  'Say what the automation is triggered by, and everything that it must do; choose no more than the instruction asks for.',
  'trigger is the event that it waits for; or schedule for times of the clock, reservation_relative for so long before or after arrivals or departures, manual where people run it.',
  'send_email sends an email template to the guest or to a member; webhook tells an address that is written in the instruction. Waiting and conditions are always possible.',
].join('\n');

export const kindOfPlan = ({ trigger }: Plan): TriggerKind =>
  otherKinds.includes(trigger as (typeof otherKinds)[number]) ? (trigger as TriggerKind) : 'event';

/** What a workflow is made of as it is, which a change of it may go on using. */
export const planOf = (trigger: WorkflowTrigger, steps: readonly Step[]): Plan => ({
  trigger: trigger.eventType ?? trigger.kind,
  does: [...new Set(allSteps(steps).flatMap(doneBy))],
});

function doneBy(step: Step): string[] {
  if (step.kind === 'operation') return [step.operation];
  return step.kind === 'send_email' || step.kind === 'webhook' ? [step.kind] : [];
}

const addresses = /https?:\/\/[^\s"'<>()]+/g;

export const addressesIn = (text: string): string[] =>
  Array.from(text.matchAll(addresses), ([address]) => address.replace(/(?<![.,;:!?])[.,;:!?]+$/, ''));

export const addressesOf = (steps: readonly Step[]): string[] =>
  allSteps(steps).flatMap((step) => (step.kind === 'webhook' ? [step.url] : []));
