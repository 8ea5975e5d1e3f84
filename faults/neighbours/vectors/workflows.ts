import { clientsOf, every, over } from '../attacking.js';
import type { Vector } from '../vector.js';

const steps = [{ id: 'make', kind: 'operation', operation: 'createTask', input: { name: 'Look around' } }];
const startsOn = ['1601-01-01', new Date(Date.now() - 364 * 86_400_000).toISOString().slice(0, 10)];

export const dryRun: Vector = {
  name: 'dry-run',
  description: 'a schedule since 1601, or the oldest that is accepted, tried over two connections',
  prepare: async ({ attacker }) => {
    const schedule = { kind: 'schedule', recurrence: 'FREQ=DAILY', timeOfDay: '09:00', timezone: 'America/New_York' };
    const save = (first: string) =>
      attacker.once('POST', '/workflows', { name: 'Daily', trigger: { ...schedule, startsOn: first }, steps });
    const saved = await Promise.all(startsOn.map(save));
    const oldest = saved.find(({ status }) => status === 201);
    if (!oldest) throw new Error(`No schedule is accepted: ${saved[0]?.text}`);
    const { id } = (JSON.parse(oldest.text) as { data: { id: string } }).data;
    return over(2, () => attacker.once('POST', `/workflows/${id}/test`, { days: 30 }));
  },
};

export const conditions: Vector = {
  name: 'conditions',
  description: 'thirty active workflows of twenty conditions each, and forty events a second that each looks at',
  prepare: async ({ attacker }) => {
    const rules = Array.from({ length: 19 }, (_, n) => ({ field: 'event.data.name', operator: 'not', value: `${n}` }));
    const never = { field: 'event.data.name', operator: 'equals', value: 'never' };
    for (let workflow = 0; workflow < 30; workflow += 1) {
      const { id } = await attacker.send('POST', '/workflows', {
        name: `Workflow ${workflow}`,
        trigger: { kind: 'event', eventType: 'task.created' },
        conditions: { match: 'all', rules: [...rules, never] },
        steps,
      });
      await attacker.send('POST', `/workflows/${id}/activate`, {});
    }
    return every(25, () => attacker.once('POST', '/tasks', { name: 'Event' }));
  },
};

export const runs: Vector = {
  name: 'runs',
  description: 'forty runs of a workflow a second, each of twenty steps',
  prepare: async ({ attacker }) => {
    const many = Array.from({ length: 20 }, (_, n) => ({ ...steps[0], id: `make_${n}` }));
    const { id } = await attacker.send('POST', '/workflows', {
      name: 'Long',
      trigger: { kind: 'manual' },
      steps: many,
    });
    await attacker.send('POST', `/workflows/${id}/activate`, {});
    const clients = await clientsOf(attacker, 2);
    return every(25, async (turn) => await clients[turn % 2]?.once('POST', `/workflows/${id}/run`, {}));
  },
};
