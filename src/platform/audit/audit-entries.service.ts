import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import type { Lines, Page } from '#operations';
import { Cursors } from '#persistence';
import { AuditEntriesRepository, type ChainPosition, chainStart } from './audit-entries.repository.js';
import type { AuditEntryView, AuditFilters, ExportAuditEntries, ListAuditEntries } from './audit-entry.dto.js';

const listedAtOnce = 20;
const exportedAtOnce = 100;
/** Reading and writing this many takes a few milliseconds. */
const readAtOnce = 100;

@Injectable()
export class AuditEntriesService {
  private readonly lastReads = new Map<string, Promise<unknown>>();

  constructor(
    private readonly entries: AuditEntriesRepository,
    private readonly cursors: Cursors,
  ) {}

  async list(caller: Caller, input: ListAuditEntries): Promise<Page<AuditEntryView>> {
    const { cursor, limit = listedAtOnce, ...filters } = input;
    const list = JSON.stringify(['audit', caller.orgId, caller.propertyIds, filters]);
    const before = cursor === undefined ? undefined : this.cursors.read(cursor, list)[1];
    const { entries, last } = await this.entries.newest(caller, filters, before, limit + 1);
    if (!last || entries.length <= limit) return { items: entries, limit, nextCursor: null };
    const items = entries.slice(0, limit);
    return { items, limit, nextCursor: this.cursors.write([null, items.at(-1)?.id as string], list) };
  }

  export(caller: Caller, { cursor, limit, ...filters }: ExportAuditEntries): Promise<Lines<AuditEntryView>> {
    const list = JSON.stringify(['audit export', caller.orgId, caller.propertyIds, filters]);
    const from = cursor === undefined ? chainStart : this.read(cursor, list);
    return Promise.resolve({
      all: () => this.all(caller, filters, from, limit),
      page: () => this.page(caller, filters, from, limit ?? exportedAtOnce, list),
    });
  }

  /** No connection is used between two batches, however slowly they are read. */
  private async *all(
    caller: Caller,
    filters: AuditFilters,
    from: ChainPosition,
    limit: number | undefined,
  ): AsyncGenerator<AuditEntryView> {
    for (let position = from; ;) {
      const { entries, last } = await this.inTurn(caller.orgId, () =>
        this.entries.inOrder(caller, filters, position, limit ?? readAtOnce),
      );
      yield* entries;
      if (limit !== undefined || !last || entries.length < readAtOnce) return;
      position = last;
    }
  }

  /** One read at a time for an organization, however many exports it has in progress: others get in between. */
  private async inTurn<T>(orgId: string, read: () => Promise<T>): Promise<T> {
    const before = this.lastReads.get(orgId);
    const reading = before ? before.then(read) : read();
    const over = reading.then(
      () => undefined,
      () => undefined,
    );
    this.lastReads.set(orgId, over);
    try {
      return await reading;
    } finally {
      if (this.lastReads.get(orgId) === over) this.lastReads.delete(orgId);
    }
  }

  private async page(
    caller: Caller,
    filters: AuditFilters,
    from: ChainPosition,
    limit: number,
    list: string,
  ): Promise<Page<AuditEntryView>> {
    const { entries, last } = await this.entries.inOrder(caller, filters, from, limit);
    const hasMore = last && entries.length === limit;
    const nextCursor = hasMore ? this.cursors.write([last.transactionId, last.entryId], list) : null;
    return { items: entries, limit, nextCursor };
  }

  private read(cursor: string, list: string): ChainPosition {
    const [transactionId, entryId] = this.cursors.read(cursor, list);
    return { transactionId: transactionId as string, entryId };
  }
}
