import { organizationForEach } from '../../support/behind-the-api.js';
import { doorNames, doors } from '../../support/doors.js';

const service = organizationForEach();

describe.each(doorNames)('updateOrganization over %s', (name) => {
  const update = (input: object) => doors(service())[name].ask('updateOrganization', input);

  it('changes the given fields, keeps the rest and returns the next version', async () => {
    const changes = {
      name: 'Lakeside Stays',
      timezone: 'Europe/Lisbon',
      currency: 'EUR',
      locales: ['pt-PT', 'en'],
      requireTwoFactor: true,
      remoteControlEnabled: false,
      selfRegisteredApplications: 'forbidden',
      allowedClientIds: ['app_us_one', 'https://assistant.example/client.json'],
    };
    const { slug } = (await service().api.get('/organization')).body.data;
    const { status, body } = await update(changes);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ ...changes, slug, version: 2 });
    expect((await update({ name: 'Hillside' })).body.data).toMatchObject({ ...changes, name: 'Hillside', version: 3 });
    expect((await service().api.get('/organization')).body.data).toMatchObject({ name: 'Hillside', currency: 'EUR' });
  });

  it('writes languages in their canonical form', async () => {
    expect((await update({ locales: ['PT-pt'] })).body.data.locales).toEqual(['pt-PT']);
  });

  it.each([
    ['slug', 'other'],
    ['region', 'eu'],
    ['timezone', 'Lisbon'],
    ['currency', 'euro'],
    ['locales', []],
    ['selfRegisteredApplications', 'sometimes'],
    ['requireTwoFactor', 'yes'],
  ])('rejects %s %j', async (field, value) => {
    const { status, body } = await update({ [field]: value });
    expect(status).toBe(400);
    expect(body.error.details.issues).toEqual([{ path: [field], message: expect.any(String) }]);
  });

  it('names the invalid language', async () => {
    const { status, body } = await update({ locales: ['en', 'not a language'] });
    expect(status).toBe(400);
    expect(body.error.details.issues[0].path).toEqual(['locales', 1]);
  });
});

it('rejects a change that was prepared for an earlier version', async () => {
  await service().api.patch('/organization', { name: 'First' });
  const stale = await service().api.patch('/organization', { name: 'Second' }, { 'if-match': '"1"' });
  expect(stale.status).toBe(409);
  expect(stale.body.error.code).toBe('VERSION_MISMATCH');
});
