import { letterOf } from '../../../src/features/templates/letter.js';
import { differences } from '../../../src/features/templates/template-diff.js';
import type { TemplateVariable, VersionContent } from '../../../src/features/templates/template.dto.js';
import { Unrenderable } from '../../../src/features/templates/unrenderable.js';
import { checkVariables, scopeOf } from '../../../src/features/templates/variables.js';
import { cpuMs } from '../../support/cpu.js';

type Source = Parameters<typeof letterOf>[0];
const letter = (source: Partial<Source>, scope: object = {}) =>
  letterOf({ subject: 'Subject', preheader: null, html: '<p>Body</p>', textBody: null, ...source }, scope);

describe('a letter', () => {
  afterEach(() => jest.restoreAllMocks());

  it('escapes the output of Liquid in HTML, and nowhere else', () => {
    const { subject, html, text } = letter(
      { subject: 'For {{ name }}', preheader: '{{ name }}', html: '<p title="{{ name }}">{{ name }}</p>' },
      { name: `<script>alert("1")</script> & O'Neil` },
    );
    expect(subject).toBe(`For <script>alert("1")</script> & O'Neil`);
    expect(html).not.toMatch(/<script/i);
    expect(html.match(/&lt;script&gt;/g)).toHaveLength(3);
    expect(text).toBe(`<script>alert("1")</script> & O'Neil`);
  });

  it.each([
    ['<script>alert(1)</script>', /script|alert/],
    ['<p onclick="alert(1)">x</p>', /onclick/],
    ['<a href="{{ url }}">x</a>', /javascript/],
    ['<a href={{ attributes }}>x</a>', /onmouseover=/],
    ['<iframe src="https://example.com"></iframe>', /iframe/],
    ['<svg onload="x"><style><img src=x onerror=alert(1)></style></svg>', /svg|onerror/],
    ['<meta http-equiv="refresh" content="0;url=https://example.com">', /refresh/],
    ['<base href="https://example.com/">', /base/],
    ['<!--[if mso]><script>x</script><![endif]-->', /script|mso/],
    ['<form action="https://example.com"><input name="a"></form>', /form|input/],
    ['<img src="data:text/html,x"><a href="//example.com">x</a>', /data:|example/],
  ])('removes what runs or misleads in %s', (html, forbidden) => {
    const scope = { url: 'java\nscript:alert(1)', attributes: 'x onmouseover=alert(1)' };
    expect(letter({ html }, scope).html).not.toMatch(forbidden);
  });

  it('keeps the elements of letters', () => {
    const html = `<html><head><title>T</title><style>p{color:red}</style></head>
      <body><p style="color:red">Hi <a href="https://example.com/a?b=1">there</a><br>you &amp; me</p><p>Bye</p></body></html>`;
    const made = letter({ html, preheader: 'In {{ n }} words', textBody: null }, { n: 2 });
    expect(made.html).toMatch(/^<!doctype html>\n<html><head><title>T<\/title><style>p\{color:red\}<\/style>/);
    expect(made.html).toMatch(/<body><div style="display:none[^"]*">In 2 words<\/div>/);
    expect(made.html).toContain('<a href="https://example.com/a?b=1">there</a>');
    expect(made.text).toBe('Hi there (https://example.com/a?b=1)\nyou & me\nBye');
    expect(letter({ textBody: 'Own & {{ n }}' }, { n: '<b>' }).text).toBe('Own & <b>');
  });

  it.each([
    ['<h1>A</h1><p>b<br>c</p><ul><li>d</li></ul>', 'A\nb\nc\nd'],
    ['<a name="top">A</a> <a href="https://a.example/?a=1&amp;b=2"><b>c</b></a>', 'A c (https://a.example/?a=1&b=2)'],
    ['5 &lt; 6 &amp;lt; &quot;7&quot;&nbsp;&nbsp;8', '5 < 6 &lt; "7" 8'],
    ['<title><p>T</title><style>p{}</style>x', 'x'],
  ])('renders %s as plain text', (html, text) => {
    expect(letter({ html }).text).toBe(text);
  });

  it.each([
    ['in a style sheet', `<style>${'<a href="" '.repeat(9_000)}</style>x`, 'x'],
    ['within each other', '<a href="https://a.example">'.repeat(3_000), '(https://a.example) '.repeat(3_000).trim()],
    ['in an attribute', `<a title="${'<a href='.repeat(10_000)}">x</a>`, 'x'],
    ['without an end', `x${'<br '.repeat(20_000)}`, 'x'],
  ])('renders many elements %s as plain text, quickly', async (_, html, text) => {
    expect(await cpuMs(() => expect(letter({ html }).text).toBe(text))).toBeLessThan(1_000);
  });

  it('finds its preheader quickly if a style sheet seems to have many bodies', async () => {
    const html = `<html><head><style>${'<body'.repeat(19_000)}</style></head><body>x</body></html>`;
    const look = () => expect(letter({ html, preheader: 'Hello' }).html).toContain('<body><div');
    expect(await cpuMs(look)).toBeLessThan(500);
  });

  it.each(['a\r\nBcc: eve@example.com', 'a\nb', 'a\u2028b', 'a\u0000b', ' ', 'a'.repeat(501)])(
    'rejects %j in a subject, which could start a header',
    (name) => {
      expect(() => letter({ subject: '{{ name }}' }, { name })).toThrow(Unrenderable);
    },
  );

  it.each([
    ['has a loop with a hundred million rounds', '{% for i in (1..100000000) %}x{% endfor %}'],
    [
      'has nested loops',
      '{% for i in (1..900) %}{% for j in (1..900) %}{% for k in (1..900) %}{% assign a = 1 %}{% endfor %}{% endfor %}{% endfor %}',
    ],
    ['has a table with ten million cells', '{% tablerow i in (1..10000000) %}x{% endtablerow %}'],
    [
      'doubles a text ninety times',
      '{% assign x = "aaaaaaaa" %}{% for i in (1..90) %}{% assign x = x | append: x %}{% endfor %}{{ x }}',
    ],
    ['produces a long text', `{% for i in (1..5000) %}${'x'.repeat(500)}{% endfor %}`],
    ['pads a text', '{{ "now" | date: "%99999999d" }}'],
    ['has very many names', '{% if a ' + 'and a '.repeat(15_000) + '%}{% endif %}'],
    ['has deeply nested blocks', '{% if a %}'.repeat(900) + '{% endif %}'.repeat(900)],
    ['reads another template', '{% include "/etc/passwd" %}'],
    ['inserts a raw value', '{{ a | raw }}'],
  ])('that %s is abandoned quickly', async (_, html) => {
    const spent = await cpuMs(() => expect(() => letter({ html })).toThrow(Unrenderable));
    expect(spent).toBeLessThan(2_000);
  });

  const numbers = '{% for i in (1..60000) %}{% break %}{% endfor %}';
  it.each([
    ['memory', { subject: `a${numbers}`, textBody: numbers }],
    ['length', { html: `<p>${'x'.repeat(190_000)}</p>`, textBody: 'x'.repeat(100_000) }],
  ])('has one limit of %s for all of its fields', (_, source) => {
    for (const [field, value] of Object.entries(source)) expect(() => letter({ [field]: value })).not.toThrow();
    expect(() => letter(source)).toThrow(Unrenderable);
  });

  it('has one time limit for all of its fields', () => {
    let user = 1_000;
    jest.spyOn(process, 'threadCpuUsage').mockImplementation(() => ({ user: (user += 2_000), system: 0 }));
    const slow = '{% for i in (1..40) %}x{% endfor %}';
    expect(() => letter({ textBody: slow })).not.toThrow();
    expect(() => letter({ subject: slow, preheader: slow, textBody: slow })).toThrow(Unrenderable);
  });

  it('is not rejected for time in which other processes had the processor', () => {
    let now = 1_000;
    jest.spyOn(performance, 'now').mockImplementation(() => (now += 1_000));
    expect(() => letter({ textBody: '{% for i in (1..40) %}x{% endfor %}' })).not.toThrow();
  });

  it('has no access to prototypes', () => {
    const html = '[{{ a.constructor.constructor }}{{ a.__proto__ }}{{ "x".constructor }}{{ constructor }}]';
    expect(letter({ html }, { a: {} }).text).toBe('[]');
  });
});

const variable = (key: string, wishes: Partial<TemplateVariable> = {}): TemplateVariable => ({
  key,
  type: 'text',
  required: false,
  ...wishes,
});

/** An error with its field. */
const refused = expect.objectContaining({ status: 400, message: expect.stringMatching(/^Field /) }) as Error;

describe('the Liquid data', () => {
  const variables = [variable('guest.name', { fallback: 'guest' }), variable('code', { required: true })];

  it('is what is declared: the given value, else the fallback, else a sample or an error', () => {
    const data = { guest: { name: 'Ana', email: 'ana@example.com' }, code: 7, other: 1 };
    expect(scopeOf(variables, data, { sampled: false })).toEqual({ guest: { name: 'Ana' }, code: 7 });
    const sampled = { guest: { name: 'guest' }, code: '[code]', unsubscribeUrl: 'https://example.com/' };
    expect(scopeOf(variables, { guest: { name: null } }, { sampled: true })).toEqual(sampled);
    expect(() => scopeOf(variables, {}, { sampled: false })).toThrow(
      expect.objectContaining({ details: { issues: [expect.objectContaining({ path: ['data', 'code'] })] } }),
    );
  });

  it('comes only from the data, whatever the names', () => {
    const data = JSON.parse('{"__proto__": {"code": "x"}}') as Record<string, unknown>;
    expect(() => scopeOf([variable('code', { required: true })], data, { sampled: false })).toThrow(refused);
    expect(scopeOf([variable('constructor.name')], {}, { sampled: false })).toEqual({});
    expect(Object.getPrototypeOf(scopeOf([variable('guest.name')], data, { sampled: true }))).toBe(Object.prototype);
  });

  it.each([
    ['number', '7', 7],
    ['boolean', 'true', true],
    ['date', 'tomorrow', '2030-06-01'],
    ['url', 'example', 'https://example.com'],
    ['list', 'a', ['a']],
    ['text', {}, 'a'],
  ] as const)('is of the declared type: %s', (type, wrong, right) => {
    expect(() => scopeOf([variable('a', { type })], { a: wrong }, { sampled: true })).toThrow(refused);
    expect(scopeOf([variable('a', { type })], { a: right }, { sampled: true })).toMatchObject({ a: right });
  });

  it('has a limit', () => {
    expect(() => scopeOf([], { a: 'x'.repeat(50_000) }, { sampled: true })).toThrow(refused);
  });

  it.each([[['a', 'a']], [['a.b', 'a']], [['a', 'a.b']], [['a.b.c', 'a.b']]])(
    'has one value for each name: %s',
    (keys) => {
      expect(() => checkVariables(keys.map((key) => variable(key)))).toThrow(refused);
      expect(() => checkVariables([variable('a.b'), variable('a.c'), variable('ab')])).not.toThrow();
    },
  );
});

describe('a difference', () => {
  const content: VersionContent = {
    category: 'other',
    subject: 'One',
    preheader: null,
    body: '<p>a</p>\n<p>b</p>',
    textBody: null,
    variables: [],
  };

  it('is reported field by field', () => {
    const changed = { ...content, body: '<p>a</p>\n<p>c</p>', variables: [variable('x')] };
    const changes = differences(content, changed);
    expect(changes.map(({ field }) => field)).toEqual(['body', 'variables']);
    expect(changes[0]?.patch).toContain('-<p>b</p>');
    expect(changes[0]?.patch).toContain('+<p>c</p>');
    expect(changes[0]?.patch).not.toContain('+<p>a</p>');
    expect(differences(content, content)).toEqual([]);
  });

  it('of two texts without common parts takes no time', async () => {
    const lines = (word: string) =>
      Array.from({ length: 30_000 }, (_, index) => `${word}${index}`)
        .join('\n')
        .slice(0, 100_000);
    const spent = await cpuMs(() => {
      const [change] = differences({ ...content, body: lines('a') }, { ...content, body: lines('b') });
      expect(change?.patch).toContain('-a0\n');
    });
    expect(spent).toBeLessThan(3_000);
  });
});
