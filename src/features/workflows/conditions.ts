import type { WorkflowConditions, WorkflowRule } from './definition.dto.js';
import { factAt, type Facts } from './references.js';

export interface JudgedRule extends WorkflowRule {
  actual: unknown;
  holds: boolean;
}

export interface Judgement {
  holds: boolean;
  rules: JudgedRule[];
}

/** The results of conditions for some facts. Without conditions, the judgement is positive. */
export function judge(conditions: WorkflowConditions | null, facts: Facts): Judgement {
  if (!conditions) return { holds: true, rules: [] };
  const rules = conditions.rules.map((rule) => {
    const actual = factAt(facts, rule.field) ?? null;
    return { ...rule, actual, holds: isMet(rule, actual) };
  });
  const holding = ({ holds }: JudgedRule): boolean => holds;
  return { holds: conditions.match === 'all' ? rules.every(holding) : rules.some(holding), rules };
}

function isMet({ operator, value }: WorkflowRule, actual: unknown): boolean {
  switch (operator) {
    case 'exists':
      return (actual !== null) === value;
    case 'equals':
      return actual === value;
    case 'not':
      return actual !== value;
    case 'in':
      return Array.isArray(value) && value.includes(actual);
    case 'greater_than':
      return isOrdered(value, actual);
    case 'less_than':
      return isOrdered(actual, value);
  }
}

/** Compares numbers, and texts such as dates and times, whose text order is their time order. */
const isOrdered = (less: unknown, more: unknown): boolean =>
  (typeof less === 'number' && typeof more === 'number' && less < more) ||
  (typeof less === 'string' && typeof more === 'string' && less < more);
