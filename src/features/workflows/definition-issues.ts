import type { Issue } from '#errors';
import type { WorkflowConditions, WorkflowRule } from './definition.dto.js';
import type { Trigger } from './trigger.dto.js';
import type { StepOf } from './definition.js';
import { knowsStay, triggeringEvent } from './facts.js';
import { factAt, type Facts, isFactPath, isPlain, referencesIn } from './references.js';
import { isSchedule } from './schedule.js';
import { localDate } from './schedule-times.js';

type Path = Issue['path'];

/** A place in a definition, with the facts that runs know there. */
export interface Place {
  facts: Facts;
  at: Path;
}

const noStay = 'The trigger is not about a stay. Choose a trigger that is.';

/** The faults of a trigger that has the fields of its kind. */
export function triggerFaults(trigger: Trigger): Issue[] {
  if (trigger.kind === 'event' && !triggeringEvent(trigger.eventType)) {
    const message = `${trigger.eventType} cannot trigger a workflow. getWorkflowCatalog lists the events that can.`;
    return [{ path: ['trigger', 'eventType'], message }];
  }
  if (trigger.kind === 'schedule' && !isSchedule(trigger, new Date().toISOString())) {
    const message = 'Pass an RFC 5545 rule that recurs at most daily and at least once, such as FREQ=WEEKLY;BYDAY=MO.';
    return [{ path: ['trigger', 'recurrence'], message }];
  }
  return [];
}

/** Computing a schedule from its first day takes longer the earlier that day is; tasks have the same limit. */
const longestAgoMs = 366 * 86_400_000;

/** @param before the current trigger: a schedule that started long ago may continue. */
export function startIssues(trigger: Trigger, before?: Trigger): Issue[] {
  if (trigger.kind !== 'schedule' || trigger.startsOn === undefined) return [];
  const { startsOn, timezone } = trigger;
  if (before?.kind === 'schedule' && startsOn === before.startsOn) return [];
  const earliest = localDate(new Date(Date.now() - longestAgoMs).toISOString(), timezone);
  if (startsOn >= earliest) return [];
  const message = `A schedule cannot start more than a year ago. Pass ${earliest} or a later day.`;
  return [{ path: ['trigger', 'startsOn'], message }];
}

/** @param next the next time, if it is a schedule. */
export function overIssues({ kind }: Trigger, next: string | undefined): Issue[] {
  if (kind !== 'schedule' || next !== undefined) return [];
  const message = 'The schedule never occurs again. Change its rule or first day.';
  return [{ path: ['trigger', 'recurrence'], message }];
}

export function conditionIssues({ rules }: WorkflowConditions, { facts, at }: Place): Issue[] {
  return rules.flatMap((rule, index) => {
    const here = [...at, 'rules', index];
    if (factAt(facts, rule.field) === undefined)
      return [{ path: [...here, 'field'], message: unknownFact(rule.field) }];
    if (isComparable(rule)) return [];
    return [{ path: [...here, 'value'], message: `This fact cannot be compared by ${rule.operator}.` }];
  });
}

function isComparable({ operator, value }: WorkflowRule): boolean {
  if (operator === 'exists') return typeof value === 'boolean';
  if (operator === 'in') return Array.isArray(value);
  if (operator === 'equals' || operator === 'not') return !Array.isArray(value);
  return typeof value === 'number' || typeof value === 'string';
}

const unknownFact = (path: string): string => `The fact ${path} does not exist at this point.`;

/** Facts that an input names but runs do not know there. */
export function referenceIssues(value: unknown, { facts, at }: Place): Issue[] {
  return referencesIn(value).flatMap(({ at: inner, path, isAlone }) => {
    const here = [...at, ...inner];
    const fact = isFactPath(path) ? factAt(facts, path) : undefined;
    if (fact === undefined) return [{ path: here, message: unknownFact(path) }];
    return isAlone || isPlain(fact)
      ? []
      : [{ path: here, message: `${path} is not text. Use it on its own, without other text.` }];
  });
}

export function emailIssues({ to, memberId }: StepOf<'send_email'>, trigger: Trigger, at: Path): Issue[] {
  if (to === 'guest' && !knowsStay(trigger)) return [{ path: [...at, 'to'], message: noStay }];
  if ((to === 'member') === (memberId !== undefined)) return [];
  return [
    {
      path: [...at, 'memberId'],
      message: 'memberId is required if the message goes to a member, and not allowed otherwise.',
    },
  ];
}

export function waitIssues({ minutes, until, offsetMinutes }: StepOf<'wait'>, trigger: Trigger, at: Path): Issue[] {
  if ((minutes === undefined) === (until === undefined))
    return [{ path: at, message: 'Pass either minutes or until.' }];
  if (minutes !== undefined && offsetMinutes !== undefined)
    return [{ path: [...at, 'offsetMinutes'], message: 'This field is only allowed with until.' }];
  return until && !knowsStay(trigger) ? [{ path: [...at, 'until'], message: noStay }] : [];
}

export interface LiteralId {
  id: string;
  path: Path;
}

const idAlone = /^[a-z]+(_[a-z]+)*_[0-9a-f]{32}$/;

/** Ids that are written out in a definition, and where. */
export function literalIds(value: unknown, at: Path): LiteralId[] {
  if (typeof value === 'string') return idAlone.test(value) ? [{ id: value, path: at }] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    literalIds(inner, [...at, Array.isArray(value) ? Number(name) : name]),
  );
}
