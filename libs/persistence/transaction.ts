import type { ClientBase } from 'pg';
import { type Row, runBatch, type Statement } from './batch.js';

const begin: Statement = { name: 'begin', text: 'begin', values: [] };
/** Writing values to a connection takes time on the event loop, so a larger number goes in several trips. */
const mostValuesAtOnce = 500;
/** A write that travels with another statement. */
export interface Deferred extends Statement {
  /** Called with its rows, before the commit. */
  heard?: (rows: Row[]) => void;
}

/** Defers what was kept during a transaction. */
export type WriteTogether<T> = (items: readonly T[]) => void | Promise<void>;

/** A read that waits for what else is asked for at the same time. */
interface Asked {
  statement: Statement;
  resolve: (rows: Row[]) => void;
  reject: (error: unknown) => void;
}

/** A part of a transaction that can be undone alone, and what the transaction had when it began. */
export interface Part {
  readonly depth: number;
  readonly savepoint: Statement;
  readonly callbacks: number;
  readonly kept: readonly (readonly [WriteTogether<never>, unknown[]])[];
}

/** Each depth has a name of its own: a part whose savepoint was not reached must not roll back to the one around it. */
const atDepth = (command: string, depth: number): Statement => {
  const text = `${command} part_${depth}`;
  return { name: text, text, values: [] };
};
const commit: Statement = { name: 'commit', text: 'commit', values: [] };

/**
 * A transaction with as few round trips as possible: BEGIN travels with the first statement, and deferred statements
 * travel with the next statement or with COMMIT. If everything was deferred, it is one batch, which is a transaction
 * too.
 */
export class Transaction {
  readonly afterCommit: (() => void)[] = [];
  /** What is written together at the end, by who writes it. */
  private readonly kept = new Map<WriteTogether<never>, unknown[]>();
  private hasBegun = false;
  private depth = 0;
  private asked: Asked[] = [];

  /** @param waiting what is sent before anything else. */
  constructor(
    readonly orgId: string | null,
    private readonly client: ClientBase,
    private readonly waiting: Deferred[],
    /** It is undone in any case. */
    readonly isRehearsal = false,
  ) {}

  /** What is asked for at the same time, as by Promise.all, travels together, in that order. */
  rows(statement: Statement): Promise<Row[]> {
    return new Promise((resolve, reject) => {
      if (this.asked.push({ statement, resolve, reject }) === 1) queueMicrotask(() => void this.ask());
    });
  }

  private async ask(): Promise<void> {
    const asked = this.asked.splice(0);
    try {
      const results = await this.send(asked.map(({ statement }) => statement));
      // What was deferred came before them.
      const own = results.slice(-asked.length);
      for (const [place, { resolve }] of asked.entries()) resolve(own[place] ?? []);
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  }

  /** Its error is thrown by the statement or the COMMIT that it travels with. */
  defer(statement: Deferred): void {
    this.waiting.push(statement);
  }

  /** Keeps items that `write` writes, all together, before the commit. */
  keep<T>(write: WriteTogether<T>, items: readonly T[]): void {
    const kept = this.kept.get(write) ?? [];
    this.kept.set(write, kept);
    kept.push(...items);
  }

  async writeKept(): Promise<void> {
    for (let [next] = this.kept; next; [next] = this.kept) {
      const [write, items] = next;
      this.kept.delete(write);
      await write(items as never[]);
    }
  }

  async flush(): Promise<void> {
    if (!this.hasBegun || this.waiting.length > 0) await this.send([]);
  }

  /** Undoes `work` alone if it fails; what was deferred in it is sent before it ends. Costs no round trip of its own. */
  async attempt<T>(work: () => Promise<T>): Promise<T> {
    const part = this.beginPart();
    try {
      const result = await work();
      await this.flush();
      this.depth = part.depth - 1;
      this.defer(atDepth('release savepoint', part.depth));
      return result;
    } catch (error) {
      await this.undoPart(part);
      throw error;
    }
  }

  /** Its savepoint travels with the next statement. */
  beginPart(): Part {
    this.depth += 1;
    const savepoint = atDepth('savepoint', this.depth);
    const kept = [...this.kept].map(([write, items]) => [write, items.slice()] as const);
    const part = { depth: this.depth, savepoint, callbacks: this.afterCommit.length, kept };
    this.defer(savepoint);
    return part;
  }

  /** Undoes what was done, deferred and kept since the part began. */
  async undoPart({ depth, savepoint, callbacks, kept }: Part): Promise<void> {
    this.depth = depth - 1;
    this.afterCommit.length = callbacks;
    // What was kept before is kept again, even if it has been written since.
    this.kept.clear();
    for (const [write, items] of kept) this.kept.set(write, items);
    const unsent = this.waiting.indexOf(savepoint);
    this.waiting.length = Math.max(unsent, 0);
    if (unsent >= 0) return;
    const statements = [atDepth('rollback to savepoint', depth), atDepth('release savepoint', depth)];
    // If the savepoint was not reached, what is around it has failed too: its next statement says so.
    await this.run(statements).catch(() => undefined);
  }

  async commit(): Promise<void> {
    if (!this.hasBegun && firstTripOf(this.waiting) === this.waiting.length) await this.run(this.waiting);
    else if (this.waiting.length > 0) await this.send([commit]);
    else {
      // COMMIT of a failed transaction returns ROLLBACK and no error: nothing may be acknowledged after that.
      const { command } = await this.client.query('commit');
      if (command !== 'COMMIT') throw new Error(`The transaction ended with ${command}`);
    }
  }

  /** Errors are ignored: a lost connection has rolled back, and the pool drops it. */
  async rollback(): Promise<void> {
    if (this.hasBegun) await this.client.query('rollback').catch(() => undefined);
  }

  private async send(statements: readonly Statement[]): Promise<Row[][]> {
    if (!this.hasBegun) this.waiting.unshift(begin);
    this.hasBegun = true;
    for (let trip = firstTripOf(this.waiting); trip < this.waiting.length; trip = firstTripOf(this.waiting))
      await this.run(this.waiting.splice(0, trip));
    return await this.run([...this.waiting.splice(0), ...statements]);
  }

  private async run(statements: readonly Deferred[]): Promise<Row[][]> {
    const results = await runBatch(this.client, statements);
    statements.forEach(({ heard }, index) => heard?.(results[index] as Row[]));
    return results;
  }
}

/** How many of the statements go in the next trip: one at least, however many values it has. */
function firstTripOf(statements: readonly Statement[]): number {
  let values = 0;
  const next = statements.findIndex((statement, index) => {
    values += sizeOf(statement);
    return index > 0 && values > mostValuesAtOnce;
  });
  return next < 0 ? statements.length : next;
}

const sizeOf = ({ values }: Statement): number =>
  values.reduce<number>((size, value) => size + (Array.isArray(value) ? value.length : 1), 1);
