import { IsEmail } from 'class-validator';
import {
  Id,
  Int,
  ListOfObjects,
  Metadata,
  ObjectOf,
  readInput,
  coerceText,
  ListOf,
  Flag,
  Text,
  Timestamp,
} from '#operations';
import { type Issue, recordNotFound, type ServiceError } from '#errors';
import { cpuMs } from '../../support/cpu.js';

class Step {
  @Text({ description: 'A title.', max: 5 }) title: string;
}

class Order {
  @Text({ description: 'A name.', max: 10 }) name: string;
  @Int({ description: 'How many.', min: 1, max: 9, optional: true }) count?: number;
  @Flag({ description: 'Whether.', optional: true }) urgent?: boolean;
  @Timestamp({ description: 'When.', optional: true, nullable: true }) at?: string | null;
  @ListOf({ text: 5 }, { description: 'Words.', optional: true, max: 3 }) words?: string[];
  @Metadata({ description: 'Yours.', optional: true }) metadata?: Record<string, string>;
  @ListOfObjects(() => Step, { description: 'Steps.', optional: true, max: 3 }) steps?: Step[];
  @ListOfObjects(() => Step, { description: 'Guests.', optional: true, max: 200 }) guests?: Step[];
  @ObjectOf(() => Step, { description: 'A step.', optional: true }) place?: Step;
  @Id('task', { description: 'A task.', optional: true }) taskId?: string;
  @Id('gizmo', { description: 'A gizmo.', optional: true }) gizmoId?: string;
}

class Code {
  @Text({ description: 'A code.', min: 2, max: 4 }) code: string;
}

function refusalOf(raw: object): ServiceError {
  try {
    readInput(Order, raw);
  } catch (error) {
    return error as ServiceError;
  }
  throw new Error('Nothing was refused');
}
const paths = (raw: object): string[] =>
  (refusalOf(raw).details.issues as Issue[]).map(({ path }) => path.join('.')).sort();

it('reads the fields into their classes', () => {
  const input = readInput(Order, { name: 'Linen', steps: [{ title: 'Beds' }], count: 2 });
  expect(input).toBeInstanceOf(Order);
  expect(input.steps?.[0]).toBeInstanceOf(Step);
  expect(input).toEqual({ name: 'Linen', steps: [{ title: 'Beds' }], count: 2 });
});

it('reads times as UTC, and keeps null', () => {
  expect(readInput(Order, { name: 'x', at: '2026-03-01T00:30:00+23:59' }).at).toBe('2026-02-28T00:31:00.000Z');
  expect(readInput(Order, { name: 'x', at: null }).at).toBeNull();
});

it('counts the characters of texts as JSON Schema and Postgres do', () => {
  const bed = '🛏️'.slice(0, 2);
  const read = (name: string) => readInput(Order, { name });
  for (const name of [bed, bed.repeat(10), `${bed.repeat(9)}x`, 'x'.repeat(10)]) expect(read(name).name).toBe(name);
  for (const name of ['', bed.repeat(11), `${bed.repeat(9)}xx`, 'x'.repeat(11), 'x'.repeat(21)])
    expect(() => read(name)).toThrow('characters');
  expect(readInput(Code, { code: bed.repeat(2) })).toEqual({ code: bed.repeat(2) });
  expect(() => readInput(Code, { code: bed })).toThrow('characters');
});

it('lists all errors together', () => {
  expect(
    paths({ count: 10, urgent: 'yes', words: ['a', 'a'], steps: [{ title: 'x' }, { title: '' }], colour: 1 }),
  ).toEqual(['colour', 'count', 'name', 'steps.1.title', 'urgent', 'words']);
});

it('spends little time on lists that are too long', async () => {
  const steps = Array.from({ length: 20_000 }, () => ({}));
  expect(await cpuMs(() => expect(paths({ name: 'x', steps })).toEqual(['steps']))).toBeLessThan(50);
});

it.each(['guests', 'place'])('spends little time on lists of lists in %s', async (field) => {
  const lists = Array.from({ length: 100 }, () => Array.from({ length: 200 }, () => ({})));
  for (const value of [[lists], lists, [lists.flat()]]) {
    const found = () => expect(paths({ name: 'x', [field]: value })).toEqual([field]);
    expect(await cpuMs(found)).toBeLessThan(20);
  }
});

it('reads no more unknown fields than it names', () => {
  let looked = 0;
  const fields = Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`k${n}`, 1]));
  const watched = new Proxy(fields, { get: (target, name) => ((looked += 1), target[name as string]) });
  expect(paths(watched)).toHaveLength(500);
  expect(looked).toBeLessThan(1_000);
});

it('names no more than 500 issues', () => {
  expect(paths(Object.fromEntries(Array.from({ length: 600 }, (_, n) => [`k${n}`, 1])))).toHaveLength(500);
});

it('reports only the first invalid objects of lists, at their places', () => {
  const guests = Array.from({ length: 200 }, (_, index) => ({ title: index % 2 ? 'x' : '' }));
  const expected = Array.from({ length: 19 }, (_, index) => `guests.${index * 2}.title`);
  expect(paths({ name: 'x', steps: [{ title: 'x' }, {}], guests })).toEqual([...expected, 'steps.1.title'].sort());
});

it('finds an invalid object behind many whose rules the quick check does not know', () => {
  class Letter {
    @IsEmail() to: string;
  }
  class Post {
    @ListOfObjects(() => Letter, { description: 'Letters.', max: 50 }) letters: Letter[];
  }
  const letters = Array.from({ length: 50 }, (_, index) => Object.assign(new Letter(), { to: `${index}@a.example` }));
  expect(() => readInput(Post, { letters: [...letters, { to: 'nobody' }] })).toThrow('letters');
});

it.each(['constructor', 'hasOwnProperty', 'toString', 'then', 'valueOf'])(
  'rejects a field called %s, and keeps it in metadata',
  (name) => {
    const hostile = JSON.parse(`{"${name}":"x"}`) as Record<string, string>;
    expect(paths({ name: 'x', ...hostile })).toEqual([name]);
    expect(paths({ name: 'x', steps: [{ title: 'x', ...hostile }] })).toEqual([`steps.0.${name}`]);
    expect(Object.entries(readInput(Order, { name: 'x', metadata: hostile }).metadata ?? {})).toEqual([[name, 'x']]);
  },
);

it('returns 404 for a malformed id if nothing else is wrong', () => {
  expect(refusalOf({ name: 'x', taskId: 'none' }).status).toBe(404);
  expect(refusalOf({ name: '', taskId: 'none' }).status).toBe(400);
});

describe('coerceText', () => {
  it.each([
    [{ count: '7' }, { count: 7 }],
    [{ count: '7.5' }, { count: '7.5' }],
    [{ count: '' }, { count: '' }],
    [{ count: '1e1' }, { count: '1e1' }],
    [{ urgent: 'true' }, { urgent: true }],
    [{ urgent: 'yes' }, { urgent: 'yes' }],
    [{ words: 'a,b' }, { words: ['a', 'b'] }],
    [{ words: '' }, { words: [] }],
    [{ name: '7' }, { name: '7' }],
    [{ unknown: '7' }, { unknown: '7' }],
  ])('%j → %j', (text, values) => expect(coerceText(Order, text)).toEqual(values));
});

describe('the message of a validation error', () => {
  const messageOf = (raw: object): string => refusalOf(raw).message;

  it('repeats the first issue, and the number of others', () => {
    expect(messageOf({})).toBe('Field name: This field is required: pass text of 1 to 10 characters.');
    expect(messageOf({ name: 'x', steps: [{ title: '' }] })).toBe(
      'Field steps.0.title: Pass text of 1 to 5 characters.',
    );
    expect(messageOf({ count: 0, name: '' })).toMatch(/^Field (name|count): Pass .* details\.issues has 1 more\.$/);
  });

  it.each([
    ['coutn', 'count'],
    ['task_id', 'taskId'],
    ['URGENT', 'urgent'],
    ['guest', 'guests'],
  ])('names the field that %s is close to', (given, meant) => {
    expect(messageOf({ name: 'x', [given]: 1 })).toBe(
      `Field ${given}: Unknown field: did you mean \`${meant}\`? Otherwise remove it.`,
    );
  });

  it('suggests names for the first twenty, because that takes time', () => {
    const cased = (n: number): string => [...'count'].map((c, at) => ((n >> at) & 1 ? c.toUpperCase() : c)).join('');
    const slips = Object.fromEntries(Array.from({ length: 31 }, (_, n) => [cased(n + 1), 1]));
    const messages = (refusalOf({ name: 'x', ...slips }).details.issues as Issue[]).map(({ message }) => message);
    expect(messages.map((message) => message.includes('did you mean'))).toEqual(messages.map((_, n) => n < 20));
  });

  it.each(['colour', 'z', 'n'.repeat(100_000)])('suggests nothing for %.10s', (given) => {
    expect(messageOf({ name: 'x', [given]: 1 })).toBe(`Field ${given.slice(0, 100)}: Unknown field. Remove it.`);
  });

  it('names the source of ids', () => {
    recordNotFound('gizmo', 'listGizmos', 'old gizmo');
    expect(messageOf({ name: 'x', gizmoId: 'Lavender' })).toBe(
      'Old gizmo not found. Pass an old gizmo id (gizmo_…) from listGizmos.',
    );
  });
});
