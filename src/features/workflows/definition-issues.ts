import type { Issue } from '#errors';
import type { WorkflowConditions, WorkflowRule, WorkflowTrigger } from '../../workflows/definition.dto.js';
import type { EmailStep, WaitStep } from '../../workflows/definition.js';
import { knowsStay, triggeringEvent } from './facts.js';
import { factAt, type Facts, isFactPath, isPlain, referencesIn } from './references.js';
import { isSchedule, localDate } from '../../workflows/schedule.js';

type Path = Issue['path'];

/** A place in a definition, with what runs know there. */
export interface Place {
  facts: Facts;
  at: Path;
}

const noStay = 'The trigger tells of no stay; choose one that does.';

/** What is wrong with a trigger that has the fields of its kind. */
export function triggerFaults(trigger: WorkflowTrigger): Issue[] {
  const { kind, eventType } = trigger;
  if (kind === 'event' && !triggeringEvent(eventType)) {
    const message = `No workflow can wait for ${eventType}; getWorkflowCatalog lists the events.`;
    return [{ path: ['trigger', 'eventType'], message }];
  }
  if (kind === 'schedule' && !isSchedule(trigger, new Date().toISOString())) {
    const message = 'Give a rule of RFC 5545 that comes daily or more rarely, and comes, such as FREQ=WEEKLY;BYDAY=MO.';
    return [{ path: ['trigger', 'recurrence'], message }];
  }
  return [];
}

/** What is reckoned from the first day of a schedule takes longer the longer ago that was; tasks have the same bound. */
const longestAgoMs = 366 * 86_400_000;

/** @param before the trigger up to now: a schedule that began long ago goes on. */
export function startIssues({ startsOn, timezone }: WorkflowTrigger, before?: WorkflowTrigger): Issue[] {
  if (startsOn === undefined || timezone === undefined || startsOn === before?.startsOn) return [];
  const earliest = localDate(new Date(Date.now() - longestAgoMs).toISOString(), timezone);
  if (startsOn >= earliest) return [];
  const message = `A schedule starts a year ago at the earliest. Give ${earliest} or a later day.`;
  return [{ path: ['trigger', 'startsOn'], message }];
}

/** @param next when it comes next, where it is a schedule. */
export function overIssues({ kind }: WorkflowTrigger, next: string | undefined): Issue[] {
  if (kind !== 'schedule' || next !== undefined) return [];
  const message = 'The schedule does not come any more; give it a rule and a first day by which it does.';
  return [{ path: ['trigger', 'recurrence'], message }];
}

export function conditionIssues({ rules }: WorkflowConditions, { facts, at }: Place): Issue[] {
  return rules.flatMap((rule, index) => {
    const here = [...at, 'rules', index];
    if (factAt(facts, rule.field) === undefined)
      return [{ path: [...here, 'field'], message: unknownFact(rule.field) }];
    if (isComparable(rule)) return [];
    return [{ path: [...here, 'value'], message: `Nothing can be compared with this by ${rule.operator}.` }];
  });
}

function isComparable({ operator, value }: WorkflowRule): boolean {
  if (operator === 'exists') return typeof value === 'boolean';
  if (operator === 'in') return Array.isArray(value);
  if (operator === 'equals' || operator === 'not') return !Array.isArray(value);
  return typeof value === 'number' || typeof value === 'string';
}

const unknownFact = (path: string): string => `Nothing is known as ${path} at this point.`;

/** Facts that an input names and that runs do not know there. */
export function referenceIssues(value: unknown, { facts, at }: Place): Issue[] {
  return referencesIn(value).flatMap(({ at: inner, path, isAlone }) => {
    const here = [...at, ...inner];
    const fact = isFactPath(path) ? factAt(facts, path) : undefined;
    if (fact === undefined) return [{ path: here, message: unknownFact(path) }];
    return isAlone || isPlain(fact) ? [] : [{ path: here, message: `${path} is no text; name it alone.` }];
  });
}

export function emailIssues({ to, memberId }: EmailStep, trigger: WorkflowTrigger, at: Path): Issue[] {
  if (to === 'guest' && !knowsStay(trigger)) return [{ path: [...at, 'to'], message: noStay }];
  if ((to === 'member') === (memberId !== undefined)) return [];
  return [{ path: [...at, 'memberId'], message: 'Name the member where it is sent to one, and only there.' }];
}

export function waitIssues({ minutes, until, offsetMinutes }: WaitStep, trigger: WorkflowTrigger, at: Path): Issue[] {
  if ((minutes === undefined) === (until === undefined))
    return [{ path: at, message: 'Give either minutes or until.' }];
  if (minutes !== undefined && offsetMinutes !== undefined)
    return [{ path: [...at, 'offsetMinutes'], message: 'This goes with until alone.' }];
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
