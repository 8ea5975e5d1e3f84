import { eventTypes } from '../../platform/events/event-type.js';
import type { WorkflowConditions, WorkflowRule } from './definition.dto.js';
import type { Trigger } from './trigger.dto.js';
import type { Definition, Step } from './definition.js';

type TitleOf = (operation: string) => string;

const indent = '   ';

/** Describes a workflow in plain words, derived from its definition only. */
export function summaryOf({ trigger, conditions, steps }: Definition, titleOf: TitleOf): string[] {
  const condition = conditions ? [`Only if ${conditionsInWords(conditions)}.`] : [];
  return [triggerInWords(trigger), ...condition, ...stepLines(steps, titleOf, '')];
}

export function triggerInWords(trigger: Trigger): string {
  switch (trigger.kind) {
    case 'event': {
      const { eventType } = trigger;
      return `When ${eventType} happens: ${eventTypes().get(eventType)?.description ?? ''}`;
    }
    case 'schedule': {
      const { timeOfDay, timezone, recurrence, startsOn } = trigger;
      return `At ${timeOfDay} in ${timezone}, by the rule ${recurrence}${startsOn ? `, from ${startsOn} on` : ''}.`;
    }
    case 'reservation_relative':
      return `For each confirmed stay, ${momentInWords(trigger.moment, trigger.offsetMinutes)}.`;
    case 'manual':
      return `When somebody runs it${trigger.reservation ? ' for a stay' : ''}.`;
  }
}

const conditionsInWords = ({ match, rules }: WorkflowConditions): string =>
  rules.map(ruleInWords).join(match === 'all' ? ' and ' : ' or ');

function ruleInWords({ field, operator, value }: WorkflowRule): string {
  if (operator === 'exists') return `${field} is ${value === true ? 'there' : 'absent'}`;
  const compared = Array.isArray(value) ? value.join(', ') : JSON.stringify(value);
  const verbs = {
    equals: 'is',
    not: 'is not',
    in: 'is one of',
    greater_than: 'is more than',
    less_than: 'is less than',
  };
  return `${field} ${verbs[operator]} ${compared}`;
}

function stepLines(steps: readonly Step[], titleOf: TitleOf, before: string): string[] {
  return steps.flatMap((step, index) => {
    const line = `${before}${index + 1}. ${stepInWords(step, titleOf)}`;
    if (step.kind !== 'branch') return [line];
    const otherwise = step.otherwise ?? [];
    return [
      line,
      ...stepLines(step.steps, titleOf, before + indent),
      ...(otherwise.length > 0 ? [`${before}Otherwise:`, ...stepLines(otherwise, titleOf, before + indent)] : []),
    ];
  });
}

/** One step in a sentence. */
export function stepInWords(step: Step, titleOf: TitleOf): string {
  switch (step.kind) {
    case 'operation': {
      const given = Object.entries(step.input ?? {}).map(([name, value]) => `${name} ${JSON.stringify(value)}`);
      return `${titleOf(step.operation)}${given.length > 0 ? `: ${given.join(', ').slice(0, 500)}` : ''}.`;
    }
    case 'send_email':
      return `Send the email template ${step.templateId} to ${step.to === 'guest' ? 'the guest' : step.memberId}.`;
    case 'wait':
      return step.until
        ? `Wait until ${momentInWords(step.until, step.offsetMinutes ?? 0)}.`
        : `Wait ${durationInWords(step.minutes ?? 0)}.`;
    case 'branch':
      return `If ${conditionsInWords(step.conditions)}:`;
    case 'webhook':
      return `Tell ${step.url}.`;
  }
}

function momentInWords(moment: string, offsetMinutes: number): string {
  if (offsetMinutes === 0) return `at ${moment}`;
  return `${durationInWords(Math.abs(offsetMinutes))} ${offsetMinutes < 0 ? 'before' : 'after'} ${moment}`;
}

function durationInWords(minutes: number): string {
  const [amount, unit] =
    minutes % 1_440 === 0
      ? [minutes / 1_440, 'day']
      : minutes % 60 === 0
        ? [minutes / 60, 'hour']
        : [minutes, 'minute'];
  return `${amount} ${unit}${amount === 1 ? '' : 's'}`;
}
