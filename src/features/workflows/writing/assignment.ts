import type { JsonSchema, Operation } from '#operations';
import { WorkflowConditions, WorkflowRule } from '../definition.dto.js';
import { knowsStay, sampleFacts, type TriggerOutline } from '../facts.js';
import { isPlain } from '../references.js';
import { type GivenStep } from '../step.dto.js';
import { EventTrigger, ManualTrigger, ScheduleTrigger, StayTrigger, type Trigger } from '../trigger.dto.js';
import { kindOfPlan, type Plan } from './plan.js';
import {
  branchSchema,
  type Choices,
  emailSchemas,
  leftOut,
  narrowed,
  object,
  operationSchema,
  waitSchemas,
  webhookSchema,
} from './step-schemas.js';

/** The form of a model's answer. */
export interface Written {
  name: string;
  trigger: Trigger;
  conditions: WorkflowConditions | null;
  steps: GivenStep[];
}

/** The material that the model works from. */
export interface Material {
  plan: Plan;
  operations: readonly Operation[];
  choices: Choices;
  addresses: readonly string[];
}

export function writtenSchema({ plan, operations, choices, addresses }: Material): JsonSchema {
  const trigger = outlineOf(plan);
  const hasStay = knowsStay(trigger);
  const conditions = conditionsSchema(pathsOf(trigger));
  const acting = [
    ...operations.map((operation) => operationSchema(operation, choices)),
    ...(plan.does.includes('send_email') ? emailSchemas(choices, hasStay) : []),
    ...(plan.does.includes('webhook') ? [webhookSchema(addresses)] : []),
  ];
  const simple = [...acting, ...waitSchemas(hasStay)];
  const steps = [...simple, branchSchema(conditions, [...simple, branchSchema(conditions, simple)])];
  return object({
    name: { type: 'string', minLength: 1, maxLength: 200 },
    trigger: triggerSchema(plan),
    conditions: { anyOf: [{ type: 'null' }, conditions] },
    steps: { type: 'array', minItems: 1, maxItems: 20, items: { anyOf: steps } },
  });
}

function triggerSchema(plan: Plan): JsonSchema {
  switch (kindOfPlan(plan)) {
    case 'event':
      return narrowed(EventTrigger, { eventType: { const: plan.trigger } });
    case 'schedule':
      return narrowed(ScheduleTrigger, { startsOn: leftOut }, [], true);
    case 'reservation_relative':
      return narrowed(StayTrigger, {});
    case 'manual':
      return narrowed(ManualTrigger, {});
  }
}

const conditionsSchema = (paths: readonly string[]): JsonSchema => {
  const rule = narrowed(WorkflowRule, { field: { type: 'string', enum: [...paths] } });
  return narrowed(WorkflowConditions, { rules: { type: 'array', minItems: 1, maxItems: 10, items: rule } });
};

/** A manual workflow may be about a stay. */
function outlineOf(plan: Plan): TriggerOutline {
  const kind = kindOfPlan(plan);
  if (kind === 'event') return { kind, eventType: plan.trigger };
  return kind === 'manual' ? { kind, reservation: true } : { kind };
}

/** The facts that a trigger's runs know, by name. */
function pathsOf(trigger: TriggerOutline): string[] {
  const walk = (value: unknown, path: string): string[] => {
    if (isPlain(value)) return [path];
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
    return Object.entries(value).flatMap(([name, inner]) => walk(inner, path === '' ? name : `${path}.${name}`));
  };
  return walk(sampleFacts(trigger, {}), '');
}

export const rulesFor = ({ plan }: Material): string =>
  [
    'You write automations for a company that lets holiday homes and hotel rooms, as JSON.',
    'Do what the instruction asks for and nothing besides. name says in a few words what the automation does.',
    'A text may name a fact in double braces, such as {{event.subject.id}}; alone in its text the fact keeps its type. There is no other syntax and no code.',
    `The facts are: ${pathsOf(outlineOf(plan)).join(', ')}; and {{steps.name.id}}, the id of what an earlier step with the id "name" has made.`,
    'conditions are what must match for it to run at all, else null; exists takes true or false, in takes a list. A branch does steps if its conditions match, and otherwise those in otherwise.',
    'offsetMinutes is negative for before the moment. Ids are those that the material lists, by their names.',
  ].join('\n');
