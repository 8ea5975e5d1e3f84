import { type OwnersConsole, ownersConsole } from '../../support/console.js';
import { type Service, startApp } from '../../support/start-app.js';

let service: Service;
let pages: OwnersConsole;
beforeAll(async () => {
  service = await startApp();
  pages = await ownersConsole(service);
});
afterAll(() => service.close());

describe.each(['reservations', 'properties', 'devices'])('the search of %s', (page) => {
  it('says in the browser how long its text is', async () => {
    const { html } = await pages.open(page);
    expect(html).toMatch(/<input[^>]*name="q"[^>]*minlength="3"[^>]*maxlength="100"/);
  });

  it('keeps its form and what was typed where the text is too short', async () => {
    const { status, html, text } = await pages.open(`${page}?q=An`);
    expect(status).toBe(400);
    expect(html).toMatch(/<details class="narrowing" open[^>]*>/);
    expect(html).toMatch(/<input[^>]*name="q"[^>]*aria-invalid="true"[^>]*value="An"/);
    expect(text).toContain('Enter 3 to 100 characters.');
    expect(text).not.toMatch(/Pass text|Show without filters/);
  });
});

it('the form is kept for any wrong filter, with what is wrong with it', async () => {
  const { status, html } = await pages.open('reservations?arrivingFrom=soon&q=Ana');
  expect([status, /name="q"[^>]*value="Ana"/.test(html)]).toEqual([400, true]);
  expect(html).toMatch(/<p class="problem" id="filter-arrivingFrom-problem">[^<]+</);
});

it('a page after one that does not exist is still refused as a whole', async () => {
  const { status, text } = await pages.open('reservations?cursor=none');
  expect([status, text]).toEqual([400, expect.stringContaining('Show without filters')]);
});
