import { DryRuns } from '../../../src/features/workflows/dry-runs.service.js';

it('a test of a workflow on many events yields to other work', async () => {
  const times = Array.from({ length: 100 }, (_, day) => new Date(day * 86_400_000).toISOString());
  const shown = { number: 1, trigger: { kind: 'schedule' }, conditions: null, steps: [], createdAt: times[0] };
  const workflows = { find: () => Promise.resolve({ workflow: { id: 'workflow_1' }, shown }) };
  const facts = { of: () => Promise.resolve({}) };
  const schedules = { timesBetween: () => Promise.resolve(times) };
  const secrets = { mask: () => [] };
  const unused = {} as never;
  const parts = [workflows, unused, unused, facts, unused, secrets, schedules] as unknown as ConstructorParameters<
    typeof DryRuns
  >;
  const dryRuns = new DryRuns(...parts);
  let turns = 0;
  let other = setImmediate(function again() {
    turns += 1;
    other = setImmediate(again);
  });
  const caller = { orgId: 'org_1', permissions: new Set(['events:read', 'reservations:read']), propertyIds: null };
  const { examined } = await dryRuns.tryOut(caller as never, { workflowId: 'workflow_1' });
  clearImmediate(other);
  expect(examined).toBe(100);
  expect(turns).toBeGreaterThanOrEqual(4);
});
