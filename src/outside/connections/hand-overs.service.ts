import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { Jobs, schedules, type Work } from '#jobs';
import { TenantDatabase } from '#persistence';
import { Slices } from '#turns';
import { AuditService } from '../../platform/audit/audit.service.js';
import { callerOf } from '../../platform/audit/caller-of-act.js';
import { ConnectionProviders, type Ending } from './connection-provider.js';
import type { Connection } from './connection.entity.js';
import { ConnectionsRepository } from './connections.repository.js';
import { type DueConnection, HandOversRepository, soonestHandOver } from './hand-overs.repository.js';

/** Up to this many stays are handed over in the transaction that disconnects. More follow in the background. */
const mostAtOnce = 100;
/** A rehearsal shows everything. */
const all = 1_000_000;

/** Keeps or cancels the records of a connection once it is disconnected. */
@Injectable()
export class HandOvers implements Work<DueConnection> {
  readonly name = 'hand-overs';
  readonly lane = schedules;
  readonly soonest = soonestHandOver;

  constructor(
    private readonly handOvers: HandOversRepository,
    private readonly connections: ConnectionsRepository,
    private readonly providers: ConnectionProviders,
    private readonly audit: AuditService,
    private readonly database: TenantDatabase,
    private readonly jobs: Jobs,
  ) {
    jobs.take(this);
  }

  /** In the transaction that disconnects. */
  async begin(caller: Caller, connection: Connection, ending: Omit<Ending, 'most'>): Promise<void> {
    const provider = this.providers.choose(connection.provider, connection.kind);
    const most = this.database.isRehearsing ? all : mostAtOnce;
    if (!(await provider.release(caller, connection, { ...ending, most }))) return;
    await this.handOvers.begin(connection, ending.stays, this.audit.act);
    this.database.afterCommit(() => this.jobs.wake(this.name));
  }

  due(now: string): Promise<DueConnection[]> {
    return this.handOvers.due(now);
  }

  async perform(due: DueConnection, signal: AbortSignal): Promise<void> {
    const slices = new Slices();
    for (let isPart = true; isPart && !signal.aborted;)
      isPart = await slices.next((most) => this.database.transaction(due.orgId, () => this.slice(due, most)));
  }

  /** @returns whether something is left. */
  private async slice(due: DueConnection, most: number): Promise<boolean> {
    const handOver = await this.handOvers.find(due);
    const connection = handOver && (await this.connections.findAny(due.orgId, due.id));
    if (!connection) return false;
    const { act, stays } = handOver;
    const provider = this.providers.choose(connection.provider, connection.kind);
    const work = () => provider.release(callerOf(due.orgId, act), connection, { force: true, stays, most });
    const isPart = await (act ? this.audit.during(act, work) : work());
    if (!isPart) await this.handOvers.end(due);
    return isPart;
  }
}
