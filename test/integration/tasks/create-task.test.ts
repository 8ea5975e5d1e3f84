import { type Service, startApp } from '../../support/start-app.js';

let service: Service;
beforeAll(async () => {
  service = await startApp();
});
afterAll(() => service.close());

describe('createTask', () => {
  it('creates a pending task and answers it', async () => {
    const { status, body } = await service.api.post('/tasks', { name: 'Change the linen' });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({ name: 'Change the linen', status: 'pending', priority: 'normal', version: 1 });
  });
});
