import type { Browser, Page } from 'playwright-core';
import type { Json } from '../support/api.js';
import { accessibilityIssues } from '../support/accessibility.js';
import { hasBrowser, launchBrowser } from '../support/chromium.js';
import { propertyOf } from '../support/factories.js';
import { type Service, startApp } from '../support/start-app.js';

/** The content of the guide, in three languages: a text and its translations. */
const words = [
  ['Welcome to Casa Azul', 'Bem-vindos à Casa Azul', 'أهلا بكم في كازا أزول'],
  ['Arriving', 'A chegada', 'الوصول'],
  [
    'Check-in at {{property.name}} is from {{property.checkInTime}}.\n\nThe garden gate is open all day.',
    'O check-in na {{property.name}} é a partir das {{property.checkInTime}}.\n\nO portão do jardim está aberto todo o dia.',
    'تسجيل الوصول في {{property.name}} من الساعة {{property.checkInTime}}.\n\nبوابة الحديقة مفتوحة طوال اليوم.',
  ],
  ['Ring the bell at number 12', 'Toque à campainha do número 12', 'اقرعوا جرس الرقم 12'],
  ['Enter `4821B` and push the door', 'Introduza `4821B` e empurre a porta', 'أدخلوا `4821B` وادفعوا الباب'],
  ['Wifi password', 'Palavra-passe do wifi', 'كلمة مرور الواي فاي'],
  ['House rules in full', 'Regras da casa', 'قواعد المنزل كاملة'],
  [
    'The best custard tarts in town; go early.',
    'Os melhores pastéis da cidade; vá cedo.',
    'ألذ فطائر الكاسترد في المدينة؛ اذهبوا مبكرا.',
  ],
] as const;
const [name, arriving, checkIn, ring, enter, wifi, rules, note] = words.map(([text]) => text) as string[];

const guide = {
  name,
  sourceLocale: 'en',
  locales: ['pt', 'ar'],
  sections: [
    {
      title: arriving,
      blocks: [
        { kind: 'text', text: checkIn },
        { kind: 'steps', steps: [ring, enter] },
        { kind: 'fact', text: wifi, value: 'sol-e-mar 2030!' },
        { kind: 'link', text: rules, url: 'https://casa-azul.example/rules' },
      ],
    },
  ],
};
const place = {
  name: 'Pastéis de Belém',
  category: 'food',
  note,
  address: 'Rua de Belém 84, 1300-085 Lisboa',
  geo: { latitude: 38.6975, longitude: -9.2033 },
  phone: '+351 21 363 7423',
  website: 'https://pasteisdebelem.pt/',
  openingHours: 'Mo-Su 08:00-22:00',
};

(hasBrowser ? describe : describe.skip)('a guide in a browser, in three languages', () => {
  let service: Service;
  let browser: Browser;
  let page: Page;
  let url: string;
  const problems: string[] = [];

  beforeAll(async () => {
    service = await startApp();
    url = await published();
    browser = await launchBrowser();
    page = await browser.newPage();
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('request', (request) => {
      const isOurs = request.url().startsWith(service.url) || request.url().startsWith('data:');
      if (!isOurs) problems.push(`asked for ${request.url()}`);
    });
  });
  afterAll(async () => {
    await browser.close();
    await service.close();
  });

  async function published(): Promise<string> {
    const { api } = service;
    const propertyIds = [await propertyOf(api, 'Casa Azul')];
    const { id, url: address } = (await api.post('/guides', { ...guide, propertyIds })).body.data;
    await api.post(`/guides/${id}/places`, place);
    const rows: Json[] = (await api.get(`/guides/${id}/translations?limit=100`)).body.data;
    for (const row of rows) {
      const [, pt, ar] = words.find(([text]) => text === row.sourceText) as (typeof words)[number];
      await api.patch(`/guides/${id}/translations/${row.id}`, { text: row.locale === 'pt' ? pt : ar });
    }
    const { status, text } = await api.post(`/guides/${id}/publish`);
    if (status !== 200) throw new Error(text);
    return address as string;
  }

  it.each([
    ['en', 'Welcome to Casa Azul', 'left'],
    ['pt', 'Bem-vindos à Casa Azul', 'left'],
    ['ar', 'أهلا بكم في كازا أزول', 'right'],
  ])('can be read by everyone in %s', async (locale, title, side) => {
    await page.goto(`${url}?locale=${locale}`);
    expect(await page.title()).toBe(title);
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(title);
    expect(await page.getByText('4821B').innerText()).toBe('4821B');
    const box = await page
      .locator('ol li')
      .first()
      .evaluate((item) => {
        const style = getComputedStyle(item);
        return style.direction === 'rtl' ? 'right' : 'left';
      });
    expect(box).toBe(side);
    expect(await accessibilityIssues(page, `guide-${locale}`)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('switches languages by its links', async () => {
    await page.goto(`${url}?locale=en`);
    await page.getByRole('link', { name: 'العربية' }).click();
    expect(await page.locator('html').getAttribute('dir')).toBe('rtl');
    await page.getByRole('link', { name: 'Português' }).click();
    expect(await page.getByRole('heading', { level: 2 }).first().innerText()).toBe('A chegada');
    expect(await page.locator('[aria-current=page]').innerText()).toBe('Português');
  });

  it('prints what guests need: no navigation, the addresses of its links', async () => {
    await page.goto(`${url}?locale=en`);
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    expect(await page.getByRole('navigation').isVisible()).toBe(false);
    const after = (text: string) =>
      page.getByRole('link', { name: text }).evaluate((link) => getComputedStyle(link, '::after').content);
    expect(await after('House rules in full')).toContain('https://casa-azul.example/rules');
    expect(await after('https://pasteisdebelem.pt/')).toBe('none');
    const colours = await page.locator('body').evaluate((body) => getComputedStyle(body).backgroundColor);
    expect(colours).toBe('rgb(255, 255, 255)');
    if (process.env.SCREENSHOTS) await page.pdf({ path: `${process.env.SCREENSHOTS}/guide.pdf` });
  });
});
