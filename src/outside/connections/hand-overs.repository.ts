import { Injectable } from '@nestjs/common';
import { dueInTurns, soonestOf } from '#jobs';
import { recordOf, TenantDatabase, uuidIn } from '#persistence';
import { SystemDatabase } from '#system-database';
import type { Act } from '../../platform/audit/act.js';
import type { Ending } from './connection-provider.js';

const handOvers = { table: 'hand_overs', since: 'due_at' };
const dueHandOvers = dueInTurns(handOvers);
export const soonestHandOver = soonestOf(handOvers);

/** A disconnected connection. */
export interface DueConnection {
  orgId: string;
  id: string;
}

/** What happens to the remaining stays, and who decided that; null for the service. */
export interface HandOver {
  stays: Ending['stays'];
  act: Act | null;
}

/** The disconnected connections of which stays are still to be handed over. */
@Injectable()
export class HandOversRepository {
  constructor(
    private readonly database: TenantDatabase,
    private readonly system: SystemDatabase,
  ) {}

  /** Over all organizations, in turn. */
  async due(now: string): Promise<DueConnection[]> {
    return (await this.system.rows(dueHandOvers, [now])).map(recordOf('connection'));
  }

  async begin({ orgId, id }: DueConnection, stays: Ending['stays'], act: Act | undefined): Promise<void> {
    await this.database.rows(
      orgId,
      'insert into hand_overs (org_id, id, due_at, stays, act) values ($1, $2, $3, $4, $5::jsonb)',
      [uuidIn(orgId), uuidIn(id), new Date().toISOString(), stays, act && JSON.stringify(act)],
    );
  }

  /** Locked until the transaction ends; undefined if it is over. */
  async find({ orgId, id }: DueConnection): Promise<HandOver | undefined> {
    const text = 'select stays, act from hand_overs where org_id = $1 and id = $2 for update';
    const [row] = await this.database.rows(orgId, text, [uuidIn(orgId), uuidIn(id)]);
    return row as HandOver | undefined;
  }

  async end({ orgId, id }: DueConnection): Promise<void> {
    const text = 'delete from hand_overs where org_id = $1 and id = $2';
    await this.database.rows(orgId, text, [uuidIn(orgId), uuidIn(id)]);
  }
}
