import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import type { Page } from '#operations';
import { Cursors } from '#persistence';
import type { GetRequest, GetUsage, ListRequests, RequestView, UsageView } from './request.dto.js';
import { requestNotFound } from './requests.errors.js';
import { RequestsRepository } from './requests.repository.js';
import { UsageRepository } from './usage.repository.js';

const defaultLimit = 20;

/** Reads what was requested. */
@Injectable()
export class RequestsService {
  constructor(
    private readonly requests: RequestsRepository,
    private readonly counts: UsageRepository,
    private readonly cursors: Cursors,
  ) {}

  async list(
    { orgId }: Caller,
    { cursor, limit = defaultLimit, ...filters }: ListRequests,
  ): Promise<Page<RequestView>> {
    const list = JSON.stringify(['requests', orgId, filters]);
    const before = cursor === undefined ? undefined : this.cursors.read(cursor, list)[1];
    const found = await this.requests.newest(orgId, filters, before, limit + 1);
    const items = found.slice(0, limit);
    const last = found.length > limit ? items.at(-1) : undefined;
    return { items, limit, nextCursor: last ? this.cursors.write([null, last.id], list) : null };
  }

  async get({ orgId }: Caller, { requestId }: GetRequest): Promise<RequestView> {
    const found = await this.requests.find(orgId, requestId);
    if (!found) throw requestNotFound();
    return found;
  }

  async usage({ orgId }: Caller, { cursor, limit = defaultLimit, ...filters }: GetUsage): Promise<Page<UsageView>> {
    const list = JSON.stringify(['usage', orgId, filters]);
    const after = cursor === undefined ? undefined : this.cursors.read(cursor, list);
    const found = await this.counts.newest(orgId, filters, after, limit + 1);
    const items = found.slice(0, limit);
    const last = found.length > limit ? items.at(-1) : undefined;
    const end = last && this.cursors.write([last.at, `${last.credential.id} ${last.operation ?? ''}`], list);
    return { items, limit, nextCursor: end ?? null };
  }
}
