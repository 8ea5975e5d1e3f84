import { Browser } from '../../../faults/page-client.js';
import { openWorld, type OAuthWorld } from '../../support/oauth-world.js';

let world: OAuthWorld;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

it('/console leads through the sign-in to the only organization of a person', async () => {
  const { email, password } = await world.person();
  const browser = new Browser(world.service.url);
  expect(await browser.get('/console')).toMatchObject({ status: 200, path: '/sign-in?return_to=%2Fconsole' });
  const entered = await browser.signIn(email, password, '/console');
  expect(entered).toMatchObject({ status: 200, path: expect.stringMatching(/^\/console\/lakeside-stays/) });
});

it('/console leads to the account of a person who has several', async () => {
  const person = await world.person();
  await world.join(person, world.alpine);
  const browser = new Browser(world.service.url);
  expect(await browser.signIn(person.email, person.password, '/console')).toMatchObject({
    status: 200,
    path: '/account',
  });
});
