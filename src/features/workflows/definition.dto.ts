import { Comparable, ListOfObjects, OneOf, Pattern } from '#operations';

export const stayMoments = ['arrival', 'departure'] as const;
export type StayMoment = (typeof stayMoments)[number];

export const operators = ['equals', 'not', 'in', 'greater_than', 'less_than', 'exists'] as const;
export type Operator = (typeof operators)[number];

export const matches = ['all', 'any'] as const;

export const yearMinutes = 525_600;

/** A distance from a moment of a stay. */
export const offset = {
  description: 'Minutes after that time of the stay; negative for before it.',
  min: -yearMinutes,
  max: yearMinutes,
};

/** The path of a fact, such as event.data.status. */
export const factPath = /^[a-zA-Z]\w*(\.[a-zA-Z]\w*){0,6}$/;

export class WorkflowRule {
  @Pattern({
    description: 'Fact to compare, such as event.data.status or reservation.propertyId.',
    pattern: factPath,
    max: 200,
    message: 'Pass a name such as event.data.status.',
    example: 'event.data.status',
  })
  field: string;

  @OneOf(operators, { description: 'Comparison; exists takes true or false, in takes a list.' })
  operator: Operator;
  @Comparable({ description: 'Value to compare with.', example: 'confirmed' }) value: unknown;
}

export class WorkflowConditions {
  @OneOf(matches, { description: 'Whether all rules must match, or any.' }) match: (typeof matches)[number];
  @ListOfObjects(() => WorkflowRule, { description: 'Rules of the condition.', min: 1, max: 20 }) rules: WorkflowRule[];
}
