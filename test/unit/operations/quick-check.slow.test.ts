import { IsEmail, validateSync, type ValidationError } from 'class-validator';
import { fieldsOf, type JsonSchema, NoInput, type Shape } from '#operations';
import { withFewInvalid } from '../../../libs/operations/few-invalid.js';
import { isSurelyValid } from '../../../libs/operations/quick-check.js';
import { classOf } from '../../../libs/operations/schema.js';
import { CreateApiKey, ListApiKeys } from '../../../src/auth/api-keys/api-key.dto.js';
import { CreateTask, ThisTask, UpdateTask } from '../../../src/features/tasks/task-changes.dto.js';
import { ListTasks } from '../../../src/features/tasks/task-lists.dto.js';

/** The same numbers every time (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const oddities = [
  null,
  undefined,
  '',
  ' ',
  'text',
  'x'.repeat(300),
  0,
  1.5,
  -1,
  true,
  [],
  {},
  [1],
  [[]],
  [null],
  { a: 1 },
];

/** Valid most of the time, so that whole inputs are valid often enough. */
class Inputs {
  constructor(private readonly random: () => number) {}

  of(shape: Shape, oddness: number): Record<string, unknown> {
    const raw: Record<string, unknown> = {};
    for (const { name, schema } of fieldsOf(shape)) {
      if (schema.required === false && this.random() < 0.5) continue;
      if (this.random() < oddness) raw[name] = this.pick(oddities);
      else raw[name] = this.good(schema, oddness);
    }
    return raw;
  }

  private good(schema: JsonSchema, oddness: number): unknown {
    const options = schema.anyOf as JsonSchema[] | undefined;
    if (options) return this.good(this.pick(options), oddness);
    const inner = classOf(schema);
    if (schema.type === 'array' && inner) return [0, 1].map(() => this.of(inner, oddness));
    if (inner) return this.of(inner, oddness);
    if (schema.enum) return this.pick(schema.enum as string[]);
    if (schema.format === 'date-time') return '2026-03-01T15:00:00+01:00';
    switch (schema.type) {
      case 'null':
        return null;
      case 'integer':
        return schema.minimum;
      case 'boolean':
        return this.random() < 0.5;
      case 'object':
        return { key: 'value' };
      case 'array':
        return ((schema.items as JsonSchema).enum as string[] | undefined)?.slice(0, 2) ?? ['one', 'other'];
      default:
        return 'some text';
    }
  }

  private pick<T>(items: readonly T[]): T {
    return items[Math.floor(this.random() * items.length)] as T;
  }
}

/** Nested objects as instances of their classes, as the reader of inputs creates them. */
function instanceFrom(shape: Shape, raw: Record<string, unknown>): object {
  const made = Object.assign(new shape(), raw) as Record<string, unknown>;
  for (const { name, schema } of fieldsOf(shape)) {
    const inner = classOf(schema);
    const deep = (value: unknown): unknown =>
      inner && typeof value === 'object' && value !== null && !Array.isArray(value)
        ? instanceFrom(inner, value as Record<string, unknown>)
        : value;
    const value = made[name];
    if (inner && value !== undefined) made[name] = Array.isArray(value) ? value.map(deep) : deep(value);
  }
  return made;
}

const messagesOf = (errors: readonly ValidationError[]): unknown[] =>
  errors.map(({ property, constraints, children = [] }) => [property, constraints, messagesOf(children)]);

const shapes: Shape[] = [CreateTask, UpdateTask, ListTasks, ThisTask, CreateApiKey, ListApiKeys, NoInput];

it.each(shapes.map((shape) => [shape.name, shape] as const))(
  '%s: accepts what class-validator accepts, and reports the same of everything else',
  (_name, shape) => {
    const inputs = new Inputs(randomFrom(20_261_121));
    let accepted = 0;
    for (let round = 0; round < 1_000; round += 1) {
      const raw = inputs.of(shape, round % 2 ? 0.05 : 0);
      const instance = instanceFrom(shape, raw);
      const errors = validateSync(instance, { forbidUnknownValues: false });
      const isValid = isSurelyValid(shape, instance);
      expect({ raw, isValid }).toEqual({ raw, isValid: errors.length === 0 });
      const few = validateSync(withFewInvalid(shape, instance), { forbidUnknownValues: false });
      expect({ raw, messages: messagesOf(few) }).toEqual({ raw, messages: messagesOf(errors) });
      if (isValid) accepted += 1;
    }
    expect(accepted).toBeGreaterThan(300);
  },
);

it('leaves a class with a rule of another kind to class-validator', () => {
  class Foreign {
    @IsEmail() email: string;
  }
  expect(isSurelyValid(Foreign, { email: 'a@b.example' })).toBe(false);
});
