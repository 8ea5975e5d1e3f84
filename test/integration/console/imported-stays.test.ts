import type { Json } from '../../support/api.js';
import { type OwnersConsole, ownersConsole } from '../../support/console.js';
import { keyWith, propertyOf } from '../../support/factories.js';
import { until } from '../../support/feed.js';
import { type Service, startApp } from '../../support/start-app.js';

let service: Service;
let pages: OwnersConsole;
beforeAll(async () => {
  service = await startApp();
  pages = await ownersConsole(service);
});
afterAll(() => service.close());

const sentence = 'Only the system that it was imported from can cancel or reinstate this stay.';

it('a stay that another system keeps is cancelled and reinstated only there, until that is disconnected', async () => {
  const { api } = await keyWith(service.api);
  const propertyId = await propertyOf(api);
  const settings = { propertyId };
  const given = { provider: 'simulator', kind: 'pms', name: 'PMS', credentials: {}, settings };
  const { id } = (await api.post('/connections', given)).body.data as Json;
  // The second moves, then the third is cancelled.
  for (const path of [`/connections/${id}/sync`, `/connections/${id}/sync`]) await api.post(path);
  const listed = `/reservations?propertyId=${propertyId}&sort=checkInDate`;
  const [first, , third] = (await api.get(listed)).body.data as [Json, Json, Json];
  expect([first.status, third.status]).toEqual(['confirmed', 'cancelled']);
  const shown = async ({ id: stayId }: Json) => {
    const { html, text } = await pages.open(`reservations/${stayId}`);
    const offered = ['cancelReservation', 'reinstateReservation'].filter((name) => html.includes(`value="${name}"`));
    return [offered, text.includes(sentence)];
  };
  expect([await shown(first), await shown(third)]).toEqual([
    [[], true],
    [[], true],
  ]);
  await api.post(`/connections/${id}/disconnect`, { force: true });
  await until(
    () => shown(first),
    ([, isSaid]) => !isSaid,
  );
  expect([await shown(first), await shown(third)]).toEqual([
    [['cancelReservation'], false],
    [['reinstateReservation'], false],
  ]);
});
