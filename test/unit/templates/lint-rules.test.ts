import { Threads } from '#threads';
import { DraftsService } from '../../../src/features/templates/drafts.service.js';
import { errorsIn } from '../../../src/features/templates/lint.js';
import { TemplateWork } from '../../../src/features/templates/template-work.service.js';
import type { TemplateVariable, VersionContent } from '../../../src/features/templates/template.dto.js';

const threads = new Threads({ threads: 1, megabytes: 128, mostWaiting: 1, mostWaitingOfOwner: 1, waitMs: 30_000 });
const drafts = new DraftsService(new TemplateWork(threads));
afterAll(() => threads.close());

const variable = (key: string, wishes: Partial<TemplateVariable> = {}): TemplateVariable => ({
  key,
  type: 'text',
  required: false,
  fallback: null,
  ...wishes,
});

/** The broken rules, each with its severity. */
async function broken(wishes: Partial<VersionContent>): Promise<string[]> {
  const content: VersionContent = {
    category: 'transactional',
    subject: 'Welcome',
    preheader: null,
    body: '<p>Hello</p>',
    textBody: null,
    variables: [],
    ...wishes,
  };
  return (await drafts.check('org', content)).issues.map(({ severity, rule, field }) => `${severity} ${rule} ${field}`);
}

const mjml = (inside: string): string => `<mjml><mj-body>${inside}</mj-body></mjml>`;
const column = (inside: string): string => mjml(`<mj-section><mj-column>${inside}</mj-column></mj-section>`);

describe('lint', () => {
  it('finds nothing wrong with plain letters', async () => {
    const variables = [variable('guest.name'), variable('nights', { type: 'list' })];
    const body = column(`<mj-text>Dear {{ guest.name | upcase }}
      {% for night in nights %}{{ night.price }} of {{ nights.size }}{{ forloop.index }}{% endfor %}
      {% assign door = "12" %}{{ door }}</mj-text><mj-button href="https://example.com/{{ guest.name }}">Go</mj-button>`);
    expect(await broken({ body, variables })).toEqual([]);
    expect(await broken({ subject: 'Hi {{ guest.name }}', body: '<p>{{ nights[0] }}</p>', variables })).toEqual([]);
  });

  it.each(['{{ guest.name', '{% if %}{% endif %}', '{% include "x" %}', '{{ "x" | raw }}', '{{ "x" | nothing }}'])(
    'finds that %s is invalid Liquid',
    async (textBody) => {
      expect(await broken({ textBody })).toEqual(['error liquid_syntax textBody']);
    },
  );

  it.each([
    ['{{ guest.surname }}', ['error undeclared_variable body', 'warning unused_variable variables']],
    ['{{ guest }}', ['error undeclared_variable body', 'warning unused_variable variables']],
    ['{{ guest.name }}{% if other %}{% endif %}', ['error undeclared_variable body']],
    ['{{ guest.name }}{{ "a" | append: other }}', ['error undeclared_variable body']],
    ['Nothing', ['warning unused_variable variables']],
  ])('compares the variables of %s with the declared ones', async (body, found) => {
    expect(await broken({ body, variables: [variable('guest.name')] })).toEqual(found);
  });

  it.each([
    'javascript:alert(1)',
    'JaVaScript:alert(1)',
    'java&#10;script:alert(1)',
    'data:text/html,x',
    '/here',
    'here.html',
    '//example.com/',
    'https://',
    'https://exa mple.com',
    'mailto:nobody',
    '',
  ])('finds that the link "%s" leads nowhere', async (href) => {
    expect(await broken({ body: `<a href="${href}">x</a>` })).toEqual(['error broken_link body']);
  });

  it.each([
    'https://example.com/a?b=1#c',
    'https://example.com/{{ id }}/x',
    '{{ id }}',
    'mailto:ana@example.com',
    'tel:+351 555 0100',
    '#top',
  ])('accepts the link %s', async (href) => {
    const variables = href.includes('id') ? [variable('id')] : [];
    expect(await broken({ body: `<a href="${href}">x</a>`, variables })).toEqual([]);
  });

  it('finds a letter that Gmail would clip', async () => {
    expect(await broken({ body: 'é'.repeat(51 * 1_024) })).toEqual([]);
    expect(await broken({ body: 'é'.repeat(51 * 1_024) + 'x' })).toEqual(['error too_large body']);
  });

  it('requires a way to unsubscribe only for marketing', async () => {
    const category = 'marketing';
    expect(await broken({ category })).toEqual(['error missing_unsubscribe body']);
    expect(await broken({ category, body: '<p>{{ unsubscribeUrl }}</p>' })).toEqual(['error missing_unsubscribe body']);
    expect(await broken({ category, body: '<a href="{{ unsubscribeUrl }}">No more</a>' })).toEqual([]);
  });

  it.each([
    ['an unknown element', mjml('<mj-foo/>')],
    ['an element in the wrong place', mjml('<mj-text>x</mj-text>')],
    ['an empty document', '<mjml></mjml>'],
    ['an included file', mjml('<mj-include path="/etc/passwd"/>')],
    ['an inlined style sheet', `<mjml><mj-head><mj-style inline="inline">a{}</mj-style></mj-head><mj-body/></mjml>`],
  ])('finds %s in MJML', async (_, body) => {
    expect(await broken({ body })).toEqual(['error mjml body']);
  });

  it('finds Liquid that MJML would drop', async () => {
    const section = '<mj-section><mj-column><mj-text>x</mj-text></mj-column></mj-section>';
    const variables = [variable('late', { type: 'boolean' })];
    expect(await broken({ body: mjml(`{% if late %}${section}{% endif %}`), variables })).toEqual([
      'error lost_liquid body',
    ]);
    const kept = mjml(`<mj-raw>{% if late %}</mj-raw>${section}<mj-raw>{% endif %}</mj-raw>`);
    expect(await broken({ body: kept, variables })).toEqual([]);
  });

  it.each(['<script>x</script>', '<iframe></iframe>', '<form></form>', '<base href="x">', '<p onclick="x">', '<svg/>'])(
    'finds that %s is not allowed in a letter',
    async (body) => {
      expect((await broken({ body })).every((one) => one === 'error forbidden_html body')).toBe(true);
      expect(await broken({ body })).not.toEqual([]);
    },
  );
});

describe('a source that would take forever', () => {
  it('is abandoned, and the thread continues to work', async () => {
    const attributes = Array.from({ length: 9_000 }, (_, index) => `a${index}="x"`).join(' ');
    let turns = 0;
    const beat = setInterval(() => (turns += 1), 20);
    const { issues, html } = await drafts.check('org', {
      category: 'other',
      subject: 'x',
      preheader: null,
      textBody: null,
      variables: [],
      body: mjml(`<mj-section ${attributes}></mj-section>`),
    });
    clearInterval(beat);
    expect(turns).toBeGreaterThan(10);
    expect(html).toBe('');
    expect(errorsIn(issues)[0]?.message).toContain('too much time');
    expect(await broken({ body: column('<mj-text>x</mj-text>') })).toEqual([]);
  });
});
