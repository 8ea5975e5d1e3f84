import { newApiKey } from '#regions';
import { freshDatabase } from '../../support/database.js';
import { startProcess } from '../../support/service-process.js';

it('rejects a first key that would always be 401', async () => {
  const database = await freshDatabase();
  await expect(startProcess({ DATABASE_URL: database.url, ADMIN_API_KEY: newApiKey('live', 'eu') })).rejects.toThrow(
    /belongs to region eu, but this is us/,
  );
  await database.drop();
});
