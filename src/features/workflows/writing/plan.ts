import type { JsonSchema } from '#operations';
import { allSteps, type Step } from '../definition.js';
import { type Trigger, type TriggerKind, triggerKinds } from '../trigger.dto.js';

/**
 * The building blocks of a workflow. They are chosen from the instruction only, before the model sees any text from
 * guests, other systems or names, so those texts cannot lead to another kind of step or another address.
 */
export interface Plan {
  /** A type of event, or another kind of trigger. */
  trigger: string;
  /** Operations, and the kinds of steps that are not operations. */
  does: string[];
}

/** The choices for a plan. */
export interface Offer {
  eventTypes: readonly string[];
  operations: readonly string[];
  /** The addresses that a webhook step may send to. */
  addresses: readonly string[];
  /** Whether there is an email template that can be sent. */
  hasTemplates: boolean;
}

const otherKinds = triggerKinds.filter((kind) => kind !== 'event');
const likelyEvents = ['reservation.moved', 'reservation.created', 'reservation.cancelled', 'reservation.checked_out'];
const likelyOperation = 'createTask';

/** Puts the likelier ones first, which models also read best. */
const ordered = (names: readonly string[], likely: readonly string[]): string[] => [
  ...likely.filter((name) => names.includes(name)),
  ...names.filter((name) => !likely.includes(name)),
];

/** Everything that a plan may include. */
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
  'Name what the automation is triggered by, and everything that it must do; choose no more than the instruction asks for.',
  'trigger is the event that it waits for; or schedule for times of the clock, reservation_relative for so long before or after arrivals or departures, manual where people run it.',
  'send_email sends an email template to the guest or to a member; webhook tells an address that is written in the instruction. Waiting and conditions are always possible.',
].join('\n');

export const kindOfPlan = ({ trigger }: Plan): TriggerKind =>
  otherKinds.includes(trigger as (typeof otherKinds)[number]) ? (trigger as TriggerKind) : 'event';

/** The building blocks of the existing workflow, which a change may continue to use. */
export const planOf = (trigger: Trigger, steps: readonly Step[]): Plan => ({
  trigger: trigger.kind === 'event' ? trigger.eventType : trigger.kind,
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
