import { doorNames, openTarget, type Target } from '../support/target.js';

let target: Target;
beforeAll(async () => {
  target = await openTarget();
});
afterAll(() => target.close());

describe.each(doorNames)('TSK over %s', (door) => {
  it('creates a task by its name, and returns it', async () => {
    const { status, body } = await target.ask[door]('createTask', { name: 'Change the linen' });
    expect([status, body.data.name, body.data.status]).toEqual([201, 'Change the linen', 'pending']);
    expect(body.data.id).toMatch(/^task_/);
  });

  it('rejects a task without a name, with an error that says so', async () => {
    const { status, body } = await target.ask[door]('createTask', {});
    expect([status, body.error.type]).toEqual([400, 'validation_error']);
    expect(body.error.details.issues).toEqual([{ path: ['name'], message: expect.any(String) }]);
  });

  it('lists tasks, newest first', async () => {
    const { ask } = target;
    // At a separate place, because other clients of a deployment create tasks as well.
    const { id: propertyId } = (await ask[door]('createProperty', { name: 'Lake House', timezone: 'UTC' })).body.data;
    const made = [];
    for (const name of ['one', 'two', 'three'])
      made.push((await ask[door]('createTask', { name, propertyId })).body.data.id);
    const { status, body } = await ask[door]('listTasks', { propertyId, limit: 2 });
    expect([status, body.data.map(({ id }: { id: string }) => id)]).toEqual([200, made.reverse().slice(0, 2)]);
    expect(body.meta.pagination).toEqual({ limit: 2, nextCursor: expect.anything() });
  });
});
