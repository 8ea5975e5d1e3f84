import { get } from 'node:http';
import { SystemDatabase } from '#system-database';
import type { Json } from '../../support/api.js';
import { startTenant, type Tenant } from '../../support/tenant.js';

let tenant: Tenant;
beforeAll(async () => {
  tenant = await startTenant();
});
afterAll(() => tenant.close());

/** Text that a browser would run if it were not escaped. */
const hostile = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '</p></main><svg/onload=alert(1)>',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '{{constructor}}',
].join(' ');

async function published(wishes: object, change?: (guide: Json) => Promise<void>): Promise<Json> {
  const guide = { name: 'Welcome', sourceLocale: 'en', ...wishes };
  const { body, status, text } = await tenant.api.post('/guides', guide);
  if (status !== 201) throw new Error(text);
  await change?.(body.data);
  await tenant.api.post(`/guides/${body.data.id}/publish`, { force: true });
  return body.data;
}

async function translate(guide: Json, locale: string, textKey: string, text: string): Promise<void> {
  const { data } = (await tenant.api.get(`/guides/${guide.id}/translations?limit=100&locale=${locale}`)).body;
  const { id } = data.find((translation: Json) => translation.textKey === textKey);
  await tenant.api.patch(`/guides/${guide.id}/translations/${id}`, { text });
}

async function open(slug: string, query = '', headers: Record<string, string> = {}) {
  const response = await fetch(`${tenant.service.url}/guides/${slug}${query}`, { headers });
  return { status: response.status, headers: response.headers, html: await response.text() };
}

/** With Node's own client, because fetch sends no conditional requests. */
const statusWith = (slug: string, tag: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const asked = get(`${tenant.service.url}/guides/${slug}`, { headers: { 'if-none-match': tag } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    asked.on('error', reject);
  });

const block = (kind: string, parts: object): object => ({ kind, ...parts });
const section = (title: string, ...blocks: object[]): object => ({ title, blocks });

describe('the public page of a guide', () => {
  it('shows what guests may read, and nothing of staff, drafts or ours', async () => {
    const sections = [
      section('Arriving', block('steps', { steps: ['Ring at 12', 'Enter `48 21`'] })),
      section(
        'Help',
        block('link', { text: 'Call us', url: 'tel:+351912555' }),
        block('fact', { text: 'Wifi', value: 'p@ss 1' }),
      ),
      { ...section('Cleaning', block('fact', { text: 'Alarm', value: 'SECRET-9' })), audience: 'staff' },
    ];
    const guide = await published({ sections, metadata: { internal: 'SECRET-META' } }, async ({ id }) => {
      const place = { name: 'Café Central', category: 'food', note: 'Good cake', website: 'https://cafe.example/' };
      await tenant.api.post(`/guides/${id}/places`, {
        ...place,
        geo: { latitude: 38.7, longitude: -9.1 },
        phone: '+351 21 1',
      });
      const draft = (await tenant.api.post(`/guides/${id}/places`, { name: 'SECRET-PLACE' })).body.data.id;
      await tenant.api.patch(`/guides/${id}/places/${draft}`, { status: 'draft' });
    });
    const { status, html } = await open(guide.slug);
    expect(status).toBe(200);
    for (const shown of [
      '<li>Ring at 12</li>',
      '<li>Enter <code dir="auto">48 21</code></li>',
      'href="tel:+351912555"',
      '<code dir="auto">p@ss 1</code>',
      '<h3>Eating and drinking</h3>',
      'href="tel:+351211"',
      'href="https://www.openstreetmap.org/?mlat=38.7&amp;mlon=-9.1#map=18/38.7/-9.1"',
    ]) {
      expect(html).toContain(shown);
    }
    expect(html).not.toMatch(/SECRET|Cleaning|_[0-9a-f]{32}|Property Operations/);
  });

  it('escapes every value, wherever it appears', async () => {
    const note = { name: hostile, note: hostile, address: hostile, phone: hostile.slice(0, 50), openingHours: hostile };
    const guide = await published(
      {
        name: hostile.slice(0, 200),
        locales: ['pt'],
        sections: [
          section(
            hostile,
            block('text', { text: hostile }),
            block('steps', { steps: [hostile] }),
            block('link', { text: hostile, url: `https://a.example/?q=${encodeURIComponent(hostile)}"><b>` }),
            block('fact', { text: hostile, value: hostile }),
          ),
        ],
      },
      async (made) => {
        await tenant.api.post(`/guides/${made.id}/places`, note);
        await translate(made, 'pt', 'name', hostile);
      },
    );
    for (const locale of ['en', 'pt', hostile, 'pt"><script>']) {
      const { html, headers } = await open(guide.slug, `?locale=${encodeURIComponent(locale)}`);
      const tags = [...html.matchAll(/<([a-z0-9]+)([^>]*)>/gi)];
      const known =
        /^(html|head|meta|title|link|body|main|article|nav|ul|li|a|h[1-4]|section|p|ol|br|dl|dt|dd|div|code|bdi)$/;
      expect(tags.map(([, name]) => name).filter((name) => !known.test(name as string))).toEqual([]);
      expect(
        tags.map(([, , rest]) => rest).filter((rest) => /\son\w+=/i.test((rest as string).replaceAll(/"[^"]*"/g, ''))),
      ).toEqual([]);
      expect(headers.get('content-security-policy')).toBe(
        "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
      );
    }
  });

  it('shows dots for a variable without a value, whatever its name', async () => {
    const text = 'For {{constructor}} {{__proto__}} {{ toString }}!';
    const guide = await published({ sections: [section('Hi', block('text', { text }))] });
    expect((await open(guide.slug)).html).toContain('For … … …!');
  });

  it("is in the requested language, or the browser's, or the original", async () => {
    const guide = await published({ locales: ['pt-PT', 'ar'] }, async (made) => {
      await translate(made, 'pt-PT', 'name', 'Bem-vindos');
      await translate(made, 'ar', 'name', 'أهلا');
    });
    const title = async (query: string, languages?: string) => {
      const { html, headers } = await open(guide.slug, query, languages ? { 'accept-language': languages } : {});
      expect([headers.get('vary'), html.includes(`<html lang="${headers.get('content-language')}"`)]).toEqual([
        'Accept-Language',
        true,
      ]);
      return /<h1[^>]*>([^<]*)</.exec(html)?.[1];
    };
    expect(await title('?locale=ar')).toBe('أهلا');
    expect(await title('?locale=PT')).toBe('Bem-vindos');
    expect(await title('?locale=pt-BR')).toBe('Bem-vindos');
    expect(await title('?locale=fr', 'ar')).toBe('Welcome');
    expect(await title('', 'fr, ar;q=0.8, en;q=0.5')).toBe('أهلا');
    expect(await title('', 'fr')).toBe('Welcome');
    expect(await title('?locale=en&locale=ar')).toBe('Welcome');
  });

  it.each(['ar', 'he', 'fa', 'ur'])(
    'runs from right to left in %s, and texts in another script say so',
    async (locale) => {
      const guide = await published({
        locales: [locale],
        sections: [section('House', block('text', { text: 'Be kind' }))],
      });
      const { html } = await open(guide.slug, `?locale=${locale}`);
      expect(html).toContain(`<html lang="${locale}" dir="rtl">`);
      expect(html).toContain('<p lang="en" dir="ltr">Be kind</p>');
      expect(html).toContain('hreflang="en" dir="ltr"');
    },
  );

  it('calls a language by its name, whatever else its tag contains', async () => {
    const locales = ['ar-u-nu-arab', 'de-DE-u-co-phonebk', 'pt-a-bbb-x-a'];
    const guide = await published({ sourceLocale: 'en-x-private', locales });
    const { status, html } = await open(guide.slug, '?locale=ar-u-nu-arab');
    expect(status).toBe(200);
    expect(html).toContain('<html lang="ar-u-nu-arab" dir="rtl">');
    for (const name of ['English', 'Deutsch (Deutschland)', 'Português']) expect(html).toContain(name);
  });

  it('fills in what is known about its property, and never shows a raw variable', async () => {
    const text = 'Hello {{guest.name}}: {{ property.name }} opens at {{property.checkInTime}}';
    const guide = await published({ propertyIds: [tenant.here], sections: [section('x', block('text', { text }))] });
    expect((await open(guide.slug)).html).toContain('<p>Hello …: Here opens at 15:00</p>');
  });

  it('may be cached for a minute, and is not sent again if it is unchanged', async () => {
    const guide = await published({});
    const first = await open(guide.slug);
    expect(first.headers.get('cache-control')).toBe('public, max-age=60');
    const tag = first.headers.get('etag') as string;
    expect(await statusWith(guide.slug, tag)).toBe(304);
    await tenant.api.patch(`/guides/${guide.id}`, { name: 'Benvenuti' });
    await tenant.api.post(`/guides/${guide.id}/publish`);
    expect(await statusWith(guide.slug, tag)).toBe(200);
    expect(first.headers.get('x-robots-tag')).toBe('noindex');
  });

  it('has a print style sheet', async () => {
    const { html } = await open((await published({})).slug);
    const sheets = [...html.matchAll(/<link rel="stylesheet" href="([^"]+)"/g)].map(([, href]) => href as string);
    const styles = await Promise.all(sheets.map(async (href) => (await fetch(tenant.service.url + href)).text()));
    expect(styles.join('')).toMatch(/@media print \{/);
  });

  it('does not exist while its organization is suspended', async () => {
    const { slug } = await published({ name: 'Closed for now' });
    const put = (status: string) =>
      tenant.service.app.get(SystemDatabase).rows('update organizations set status = $1', [status]);
    await put('suspended');
    const { status } = await open(slug);
    await put('active');
    expect([status, (await open(slug)).status]).toEqual([404, 200]);
  });

  it('does not exist before it is published, nor at an unknown address', async () => {
    const { slug } = (await tenant.api.post('/guides', { name: 'Draft', sourceLocale: 'en' })).body.data;
    for (const address of [slug, 'nothing', '%E2%82%AC', "'%20or%201=1--"]) {
      const { status, html, headers } = await open(address);
      expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
      expect(html).toContain('Guide not found');
    }
    expect((await open('%00')).status).toBe(404);
  });
});
