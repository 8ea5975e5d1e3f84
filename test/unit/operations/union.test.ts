import { validateSync } from 'class-validator';
import { ServiceError } from '#errors';
import {
  exampleOf,
  Int,
  ListOfObjects,
  ObjectOf,
  one,
  OneOf,
  readInput,
  schemaOf,
  Text,
  Union,
  viewOf,
} from '#operations';
import { isSurelyValid } from '../../../libs/operations/quick-check.js';

const kind = { description: 'Which shape.' };

@Union('kind', () => ({ circle: Circle, group: Group }))
class Drawn {
  @Text({ description: 'Its name.', max: 10, optional: true }) name?: string;
  @OneOf(['circle', 'group'], kind) kind: string;
}
class Circle extends Drawn {
  @OneOf(['circle'], kind) override kind: 'circle';
  @Int({ description: 'How large.', min: 1, max: 9 }) radius: number;
}
class Group extends Drawn {
  @OneOf(['group'], kind) override kind: 'group';
  @ListOfObjects(() => Drawn, { description: 'What is in it.', max: 3 }) parts: Drawn[];
}
class Drawing {
  @ObjectOf(() => Drawn, { description: 'What is drawn.' }) shape: Drawn;
}

const circle = { kind: 'circle', radius: 2 };
const read = (shape: unknown): Drawing => readInput(Drawing, { shape } as object);

function issuesOf(shape: unknown): unknown[] {
  try {
    read(shape);
    return [];
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return (error.details.issues as { path: unknown[]; message: string }[]).map(
      ({ path, message }) => `${path.join('.')}: ${message}`,
    );
  }
}

it('reads each value as the class that it selects, including nested values', () => {
  const { shape } = read({ name: 'all', kind: 'group', parts: [circle, { kind: 'group', parts: [] }] });
  expect(shape).toBeInstanceOf(Group);
  expect((shape as Group).parts.map(({ constructor }) => constructor)).toEqual([Circle, Group]);
  expect(shape).toEqual({ name: 'all', kind: 'group', parts: [circle, { kind: 'group', parts: [] }] });
});

it.each([
  ['a missing field', { kind: 'circle' }, ['shape.radius: circle needs this field.']],
  [
    'a field of another kind, and an unknown field',
    { ...circle, parts: [], colour: 1 },
    [
      'shape.parts: circle does not have this field. Remove it.',
      'shape.colour: circle does not have this field. Remove it.',
    ],
  ],
  ['a wrong value', { kind: 'circle', radius: 10 }, ['shape.radius: Pass a whole number from 1 to 9.']],
  ['an unknown kind', { kind: 'constructor', radius: 'x' }, ['shape.kind: Choose one of: circle, group.']],
  ['a missing kind', { radius: 1 }, ['shape.kind: This field is required: choose one of: circle, group.']],
  [
    'a nested value',
    { kind: 'group', parts: [circle, { kind: 'group', parts: [{ kind: 'circle' }] }] },
    ['shape.parts.1.parts.0.radius: circle needs this field.'],
  ],
  ['a value that is not an object', 'circle', ['shape: Pass an object.']],
])('reports %s', (_, shape, issues) => {
  expect(issuesOf(shape)).toEqual(issues);
});

it.each([
  [true, circle],
  [false, { kind: 'circle' }],
  [false, { kind: 'oval' }],
  [true, { kind: 'group', parts: [circle, circle] }],
  [false, { kind: 'group', parts: [{ kind: 'circle', radius: 0 }] }],
])('has the same result in the quick check as in class-validator: %p for %p', (isValid, raw) => {
  const members: Record<string, new () => Drawn> = { circle: Circle, group: Group };
  const instanceOf = ({ parts, ...own }: { kind: string; parts?: { kind: string }[] }): Drawn =>
    Object.assign(new (members[own.kind] ?? Drawn)(), own, parts && { parts: parts.map(instanceOf) });
  const drawing = Object.assign(new Drawing(), { shape: instanceOf(raw) });
  expect(validateSync(drawing).length === 0).toBe(isValid);
  expect(isSurelyValid(Drawing, drawing)).toBe(isValid);
});

it('shows only the fields of the class that a value selects', () => {
  const row = { shape: { kind: 'group', radius: 1, parts: [{ ...circle, secret: 1 }], secret: 1 } };
  expect(JSON.parse(JSON.stringify(viewOf(one(Drawing), row)))).toEqual({ shape: { kind: 'group', parts: [circle] } });
});

it('has a discriminator in schemas with references, and writes out each member once in others', () => {
  const reference = ({ name }: { name: string }) => ({ $ref: `#/${name}` });
  expect(schemaOf(Drawn, { reference })).toEqual({
    oneOf: [{ $ref: '#/Circle' }, { $ref: '#/Group' }],
    discriminator: { propertyName: 'kind', mapping: { circle: '#/Circle', group: '#/Group' } },
  });
  const options = schemaOf(Drawn, { describe: false }).anyOf as { properties: Record<string, object> }[];
  expect(options.map(({ properties }) => properties.kind)).toEqual([
    { type: 'string', enum: ['circle'] },
    { type: 'string', enum: ['group'] },
  ]);
  expect(options[1]?.properties.parts).toMatchObject({ items: { type: 'object', additionalProperties: true } });
});

it('has its first member as example', () => {
  expect(exampleOf(Drawing)).toEqual({ shape: { kind: 'circle', radius: 1 } });
});
