import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from '../../client.js';
import { Browser } from '../../page-client.js';
import { faultsAmong, type Load, type Verdict } from './load.js';

const pauseMs = 200;
/** Many times the duration of a process restart on a busy machine. */
const longestMs = 10 * 60_000;
/** Each such request is rejected, the others are approved. */
const refusedEach = 4;

export interface Person {
  /** The address of the pages. */
  url: string;
  email: string;
  password: string;
}

interface Asked {
  name: string;
  isApproved: boolean;
}
interface Task {
  id: string;
  name: string;
}

/**
 * A key that needs approval, and a person who decides on the page: approved requests are carried out once, rejected
 * ones never.
 */
export class Approvals implements Load {
  readonly name = 'approvals';
  private readonly asked: Asked[] = [];
  private misanswered = 0;
  private readonly browser: Browser;
  private propertyId = '';
  private asking?: Client;

  constructor(
    private readonly person: Person,
    /** Requires an approval for every task that this key creates. */
    private readonly holdBack: (keyId: string) => Promise<unknown>,
  ) {
    this.browser = new Browser(person.url);
  }

  async prepare(client: Client): Promise<void> {
    this.asking = await client.keyed();
    await this.holdBack(this.asking.keyId as string);
    this.propertyId = (await client.send('POST', '/properties', { name: 'Held Back', timezone: 'UTC' })).id as string;
  }

  async run(_client: Client, signal: AbortSignal): Promise<void> {
    for (let number = 1; !signal.aborted; number += 1) {
      const asked = { name: `Approved ${number}`, isApproved: number % refusedEach !== 0 };
      await this.ask(this.asking as Client, asked);
      this.asked.push(asked);
    }
  }

  async judge(client: Client): Promise<Verdict> {
    const counts = {
      'approved requests that were lost': 0,
      'approved requests done twice': 0,
      'refused requests that were done': 0,
      'requests answered otherwise than decided': this.misanswered,
    };
    const tasks = await client.list<Task>(`/tasks?propertyId=${this.propertyId}`);
    for (const { name, isApproved } of this.asked) {
      const { length } = tasks.filter((task) => task.name === name);
      if (isApproved && length === 0) counts['approved requests that were lost'] += 1;
      if (isApproved && length > 1) counts['approved requests done twice'] += 1;
      if (!isApproved && length > 0) counts['refused requests that were done'] += 1;
    }
    const approved = this.asked.filter(({ isApproved }) => isApproved).length;
    return { figures: { asked: this.asked.length, approved }, faults: faultsAmong(counts) };
  }

  /** The request is repeated with its idempotency key until the response contains the decision. */
  private async ask(asking: Client, { name, isApproved }: Asked): Promise<void> {
    const key = randomUUID();
    for (const from = performance.now(); ;) {
      const { status, text } = await asking.once(
        'POST',
        '/tasks',
        { name, propertyId: this.propertyId },
        { 'idempotency-key': key },
      );
      if (status === 201 || status === 403) {
        if ((status === 201) !== isApproved) this.misanswered += 1;
        return;
      }
      if (status === 202) await this.decide((JSON.parse(text) as { data: Task }).data.id, isApproved);
      if (performance.now() - from > longestMs) throw new Error(`${name} is not answered: ${status} ${text}`);
      await wait(pauseMs);
    }
  }

  /** What fails because a process is down is tried again with the next response that says that it waits. */
  private async decide(approvalId: string, isApproved: boolean): Promise<void> {
    const path = `/approvals/${approvalId}`;
    try {
      let page = await this.browser.get(path);
      if (page.path.startsWith('/sign-in')) {
        page = await this.browser.signIn(this.person.email, this.person.password, path);
      }
      if (!page.html.includes('name="decision"')) return;
      await this.browser.submit(page, path, { decision: isApproved ? 'approve' : 'refuse' });
    } catch {
      // No response, or a page that reports that the database is down.
    }
  }
}
