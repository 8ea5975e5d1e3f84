import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from '../../client.js';
import { EntryClient } from '../../entry-client.js';
import { SetHistory } from '../histories.js';
import { faultsAmong, type Load, sumOf, type Verdict } from './load.js';

const writers = 2;
const readers = 2;
/** As many as one page lists. */
const longest = 100;
const pauseMs = 100;

interface Set {
  propertyId: string;
  history: SetHistory;
}
interface Listed {
  data: { name: string }[];
}

/**
 * Assistants create tasks through the global entry, and list them there and at the nodes, one property after the other.
 */
export class Sets implements Load {
  readonly name = 'sets';
  private readonly all: Set[] = [];
  private readonly figures = { added: 0, listings: 0 };
  private created = 0;

  constructor(
    /** Of the global entry. */
    private readonly entry: { origin: string },
  ) {}

  async run(client: Client, signal: AbortSignal): Promise<void> {
    const assistant = new EntryClient(this.entry, client.key);
    while (!signal.aborted) {
      const { id } = await client.send('POST', '/properties', { name: `Set ${this.all.length}`, timezone: 'UTC' });
      const set = { propertyId: id as string, history: new SetHistory() };
      this.all.push(set);
      let left = longest;
      const repeated = async (turn: () => Promise<void>): Promise<void> => {
        while (left > 0 && !signal.aborted) {
          await turn();
          await wait(pauseMs);
        }
      };
      await Promise.all([
        ...Array.from({ length: writers }, () =>
          repeated(() => ((left -= 1) < 0 ? Promise.resolve() : this.add(assistant, set))),
        ),
        ...Array.from({ length: readers }, (_, reader) =>
          repeated(() => this.list(client, set, reader === 0 ? assistant : undefined)),
        ),
      ]);
    }
  }

  async judge(client: Client): Promise<Verdict> {
    for (const set of this.all) await this.list(client, set);
    return { figures: this.figures, faults: faultsAmong(sumOf(this.all.map(({ history }) => history.faults))) };
  }

  private async add(assistant: EntryClient, { propertyId, history }: Set): Promise<void> {
    const name = `Element ${(this.created += 1)}`;
    history.add(name);
    await assistant.call('createTask', { propertyId, name });
    history.added(name);
    this.figures.added += 1;
  }

  private async list(client: Client, { propertyId, history }: Set, assistant?: EntryClient): Promise<void> {
    const required = history.beginListing();
    const query = { propertyId, limit: longest };
    const tasks = assistant
      ? ((await assistant.call('listTasks', query)) as unknown as Listed).data
      : await client.list<{ name: string }>(`/tasks?propertyId=${propertyId}`);
    history.listed(
      required,
      tasks.map(({ name }) => name),
    );
    this.figures.listings += 1;
  }
}
