import { promptOf } from '../../../src/outside/models/prompt.js';
import { hostileTexts } from '../../support/hostile-texts.js';

const schema = { type: 'object' };
const prompt = (data?: unknown, mark?: string) =>
  promptOf({ system: 'You write tasks.', instruction: 'Write one.', data, schema }, mark);

describe.each(hostileTexts)('data such as %j', (text) => {
  const { system, user } = prompt({ guest: { name: text }, [text]: [text] }, 'data-0123');

  it('is between the marks, unchanged, and cannot end them', () => {
    const [before, inside, after, ...more] = user.split(/<\/?data-0123>/);
    expect([before, after, more]).toEqual(['Write one.\n\n', '', []]);
    expect(JSON.parse(inside as string)).toEqual({ guest: { name: text }, [text]: [text] });
    expect(inside).not.toMatch(/[<>]/);
  });

  it('never reaches the rules or the instruction', () => {
    expect(system).not.toContain(text);
    expect(system).toContain('<data-0123>');
    expect(user.slice(0, user.indexOf('<data-0123>'))).toBe('Write one.\n\n');
  });
});

it('has a new mark each time that nobody can guess', () => {
  const marks = Array.from({ length: 50 }, () => /<(data-[0-9a-f]{32})>/.exec(prompt('x').user)?.[1]);
  expect(new Set(marks).size).toBe(50);
});

it('is not mentioned if it is empty', () => {
  const { system, user } = prompt();
  expect([system.includes('data-'), user]).toEqual([false, 'Write one.']);
  expect(system).toContain(JSON.stringify(schema));
});
