import type { JsonSchema, Operation } from '#operations';
import {
  matches,
  operators,
  stayMoments,
  type WorkflowConditions,
  type WorkflowStep,
  type WorkflowTrigger,
} from '../../../workflows/definition.dto.js';
import { knowsStay, sampleFacts } from '../facts.js';
import { isPlain } from '../references.js';
import { kindOfPlan, type Plan } from './plan.js';
import {
  branchSchema,
  type Choices,
  emailSchemas,
  object,
  operationSchema,
  waitSchemas,
  webhookSchema,
} from './step-schemas.js';

/** What a model writes. */
export interface Written {
  name: string;
  trigger: WorkflowTrigger;
  conditions: WorkflowConditions | null;
  steps: WorkflowStep[];
}

/** What it writes it out of. */
export interface Material {
  plan: Plan;
  operations: readonly Operation[];
  choices: Choices;
  addresses: readonly string[];
}

export function writtenSchema({ plan, operations, choices, addresses }: Material): JsonSchema {
  const trigger: WorkflowTrigger = { kind: kindOfPlan(plan), eventType: plan.trigger };
  const hasStay = trigger.kind === 'manual' || knowsStay(trigger);
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
  const kind = kindOfPlan(plan);
  const is = { kind: { const: kind } };
  if (kind === 'event') return object({ ...is, eventType: { const: plan.trigger } });
  if (kind === 'manual') return object({ ...is, reservation: { type: 'boolean' } }, ['kind']);
  if (kind === 'reservation_relative')
    return object({ ...is, moment: { type: 'string', enum: [...stayMoments] }, offsetMinutes: { type: 'integer' } });
  const schedule = {
    recurrence: { type: 'string', examples: ['FREQ=WEEKLY;BYDAY=MO'], description: 'RFC 5545, daily or more rarely.' },
    timeOfDay: { type: 'string', pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', examples: ['09:00'] },
    timezone: { type: 'string', examples: ['Europe/Lisbon'] },
  };
  return object({ ...is, ...schedule });
}

const conditionsSchema = (paths: readonly string[]): JsonSchema =>
  object({
    match: { type: 'string', enum: [...matches] },
    rules: {
      type: 'array',
      minItems: 1,
      maxItems: 10,
      items: object({
        field: { type: 'string', enum: [...paths] },
        operator: { type: 'string', enum: [...operators] },
        value: {
          anyOf: [
            { type: 'string' },
            { type: 'number' },
            { type: 'boolean' },
            { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'number' }] } },
          ],
        },
      }),
    },
  });

/** The facts that runs of a trigger know, by their names. */
function pathsOf(trigger: WorkflowTrigger): string[] {
  const walk = (value: unknown, path: string): string[] => {
    if (isPlain(value)) return [path];
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
    return Object.entries(value).flatMap(([name, inner]) => walk(inner, path === '' ? name : `${path}.${name}`));
  };
  return walk(sampleFacts({ ...trigger, reservation: trigger.kind === 'manual' || undefined }, {}), '');
}

export const rulesFor = ({ plan }: Material): string =>
  [
    'You write automations for a company that lets holiday homes and hotel rooms, as JSON.',
    'Do what the instruction asks for and nothing besides. name says in a few words what the automation does.',
    'A text may name a fact in double braces, such as {{event.subject.id}}; alone in its text the fact keeps its type. There is no other syntax and no code.',
    `The facts are: ${pathsOf({ kind: kindOfPlan(plan), eventType: plan.trigger }).join(', ')}; and {{steps.name.id}}, the id of what an earlier step with the id "name" has made.`,
    'conditions are what must hold for it to run at all, else null; exists takes true or false, in takes a list. A branch does steps where its conditions hold, and otherwise what stands in otherwise.',
    'offsetMinutes is negative for before the moment. Ids are those that the material lists, by their names.',
  ].join('\n');
