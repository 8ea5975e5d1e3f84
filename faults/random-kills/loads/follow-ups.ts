import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from '../../client.js';
import type { LetterSink } from '../../letter-sink.js';
import { faultsAmong, type Load, type Verdict } from './load.js';

const firstDay = Date.UTC(2032, 0, 1);
const dayMs = 86_400_000;
const dateOf = (day: number): string => new Date(firstDay + day * dayMs).toISOString().slice(0, 10);
/** A booking at intervals: each is a run with a task, a mail and two steps. */
const pauseMs = 500;
const quietMs = 1_000;

interface Run {
  status: string;
  finishedAt: string | null;
}
interface Message {
  status: string;
  reservationId: string;
}
interface Stay {
  id: string;
  email: string;
}

/** Each booking starts a workflow: one task and one letter to its guest, or a letter that is reported as uncertain. */
export class FollowUps implements Load {
  readonly name = 'workflows';
  private readonly stays: Stay[] = [];
  private workflowId = '';
  private propertyId = '';

  constructor(
    private readonly letters: LetterSink,
    private readonly skipAhead: () => void,
    private readonly longestMs = 5 * 60_000,
  ) {}

  async prepare(client: Client): Promise<void> {
    const property = { name: 'House with a Workflow', timezone: 'UTC' };
    this.propertyId = (await client.send('POST', '/properties', property)).id as string;
    await this.automate(client);
  }

  async run(client: Client, signal: AbortSignal): Promise<void> {
    const { propertyId } = this;
    for (let number = 0; !signal.aborted; number += 1) {
      const email = `guest-${number}@faults.example`;
      const nights = { checkInDate: dateOf(number), checkOutDate: dateOf(number + 1) };
      const booked = { propertyId, primaryGuest: { name: 'Guest', email }, ...nights };
      const { id } = await client.send('POST', '/reservations', booked);
      this.stays.push({ id: id as string, email });
      await wait(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }

  async judge(client: Client): Promise<Verdict> {
    const [runs, messages] = await this.settled(client);
    const counts = {
      'runs missing': Math.max(0, this.stays.length - runs.length),
      'runs doubled': Math.max(0, runs.length - this.stays.length),
      'runs without an end': runs.filter(({ finishedAt }) => finishedAt === null).length,
      'runs that failed': runs.filter(({ status }) => status === 'failed').length,
      'tasks missing or doubled': 0,
      'letters doubled': 0,
      'letters told as sent that never came': 0,
    };
    for (const { id, email } of this.stays) {
      const tasks = await client.list(`/tasks?reservationId=${id}`);
      if (tasks.length !== 1) counts['tasks missing or doubled'] += 1;
      const came = this.letters.received.get(email) ?? 0;
      if (came > 1) counts['letters doubled'] += 1;
      const isSent = messages.some((message) => message.reservationId === id && message.status === 'sent');
      if (isSent && came === 0) counts['letters told as sent that never came'] += 1;
    }
    const uncertain = messages.filter(({ status }) => status === 'unknown').length;
    const figures = { stays: this.stays.length, runs: runs.length, letters: messages.length, uncertain };
    return { figures, faults: faultsAmong(counts) };
  }

  private async automate(client: Client): Promise<void> {
    const letter = { name: 'Welcome', subject: 'Welcome', body: '<p>Welcome</p>' };
    const templateId = (await client.send('POST', '/email-templates', letter)).id as string;
    await client.send('POST', `/email-templates/${templateId}/publish`, {});
    const input = { name: 'Prepare', reservationId: '{{event.subject.id}}' };
    const workflow = {
      name: 'Welcome guests',
      trigger: { kind: 'event', eventType: 'reservation.created' },
      conditions: {
        match: 'all',
        rules: [{ field: 'reservation.propertyId', operator: 'equals', value: this.propertyId }],
      },
      steps: [
        { id: 'prepare', kind: 'operation', operation: 'createTask', input },
        { id: 'welcome', kind: 'send_email', templateId, to: 'guest' },
      ],
    };
    this.workflowId = (await client.send('POST', '/workflows', workflow)).id as string;
    await client.send('POST', `/workflows/${this.workflowId}/activate`, {});
  }

  /** When nothing is in progress any more; the clock brings waiting retries forward. */
  private async settled(client: Client): Promise<[Run[], Message[]]> {
    for (const from = performance.now(); ;) {
      const runs = await client.list<Run>(`/workflow-runs?workflowId=${this.workflowId}`);
      const messages = await client.list<Message>('/messages?sort=createdAt');
      const isSettled =
        runs.length >= this.stays.length &&
        runs.every(({ finishedAt }) => finishedAt !== null) &&
        messages.every(({ status }) => ['sent', 'unknown', 'failed', 'suppressed'].includes(status));
      if (isSettled || performance.now() - from > this.longestMs) return [runs, messages];
      await wait(quietMs);
      this.skipAhead();
    }
  }
}
