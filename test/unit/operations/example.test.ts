import {
  CalendarDate,
  exampleOf,
  Flag,
  Id,
  Int,
  ListOf,
  ListOfObjects,
  OneOf,
  Pattern,
  readInput,
  Text,
} from '#operations';

class Line {
  @Text({ description: 'A title.', min: 12, max: 20 }) title: string;
  @Flag({ description: 'A flag.', optional: true }) done?: boolean;
}

class Everything {
  @Id('task', { description: 'In the path.' }) taskId: string;
  @Id('property', { description: 'A reference.' }) propertyId: string;
  @Text({ description: 'A short text.', max: 3 }) short: string;
  @OneOf(['low', 'high'], { description: 'A choice.' }) priority: string;
  @Int({ description: 'A number, or none.', min: 5, max: 9, nullable: true }) minutes: number | null;
  @CalendarDate({ description: 'A day.' }) day: string;
  @Pattern({ description: 'A time.', pattern: /^\d\d:\d\d$/, max: 5, message: 'Give a time.', example: '15:00' })
  time: string;
  @ListOf({ oneOf: ['a', 'b'] }, { description: 'Some.', min: 1, max: 2 }) some: string[];
  @ListOfObjects(() => Line, { description: 'Lines.', min: 1, max: 2 }) lines: Line[];
  @Text({ description: 'Left out.', max: 9, optional: true }) note?: string;
}

class Change {
  @Id('property', { description: 'A reference.', optional: true, nullable: true }) propertyId?: string | null;
  @Text({ description: 'A note.', max: 9, optional: true, nullable: true }) note?: string | null;
  @Int({ description: 'A number.', min: 1, max: 9, optional: true }) count?: number;
}

describe('the example of an input', () => {
  it('contains required fields, and passes its own validation', () => {
    const example = exampleOf(Everything, ['taskId']);
    expect(example).toEqual({
      propertyId: 'property_0198c0de5eed7a11b0a7c0ffee123456',
      short: 'Exa',
      priority: 'low',
      minutes: 5,
      day: '2030-06-01',
      time: '15:00',
      some: ['a'],
      lines: [{ title: 'Example.....' }],
    });
    expect(() => readInput(Everything, { taskId: example.propertyId, ...example })).toThrow('Task not found');
    expect(() => readInput(Everything, { taskId: `task_${'0'.repeat(32)}`, ...example })).not.toThrow();
  });

  it('of a change, whose fields are all optional, is one field that refers to nothing', () => {
    expect(exampleOf(Change)).toEqual({ note: 'Example' });
  });
});
