import { Injectable } from '@nestjs/common';
import { dueInTurns, soonestOf } from '#jobs';
import { recordOf, TenantDatabase, uuidIn } from '#persistence';
import { SystemDatabase } from '#system-database';
import type { Act } from '../../platform/audit/act.js';
import type { InOrder } from '../stays/moved-stays.repository.js';

const changes = { table: 'times_changes', since: 'due_at' };
const dueChanges = dueInTurns(changes);
export const soonestTimesChange = soonestOf(changes);

/** A property whose stays are still to follow its times. */
export interface DueProperty {
  orgId: string;
  id: string;
}

/** Who changed the times, null for the service, and up to which stay the others have followed. */
export interface TimesChange {
  act: Act | null;
  after: InOrder | null;
}

/** The properties whose stays are still to follow their times. A newer change takes the place of an older one. */
@Injectable()
export class TimesChangesRepository {
  constructor(
    private readonly database: TenantDatabase,
    private readonly system: SystemDatabase,
  ) {}

  /** Over all organizations, in turn. */
  async due(now: string): Promise<DueProperty[]> {
    return (await this.system.rows(dueChanges, [now])).map(recordOf('property'));
  }

  async begin({ orgId, id }: DueProperty, act: Act | undefined): Promise<void> {
    await this.database.rows(
      orgId,
      `insert into times_changes (org_id, id, due_at, act) values ($1, $2, $3, $4::jsonb)
       on conflict (org_id, id) do update set due_at = excluded.due_at, act = excluded.act, after = null`,
      [uuidIn(orgId), uuidIn(id), new Date().toISOString(), act && JSON.stringify(act)],
    );
  }

  /** The change of a property that the transaction has locked. */
  async find({ orgId, id }: DueProperty): Promise<TimesChange | undefined> {
    const text = 'select act, after from times_changes where org_id = $1 and id = $2';
    const [row] = await this.database.rows(orgId, text, [uuidIn(orgId), uuidIn(id)]);
    return row as TimesChange | undefined;
  }

  async goOn({ orgId, id }: DueProperty, after: InOrder | null): Promise<void> {
    await this.database.rows(orgId, 'update times_changes set after = $3::jsonb where org_id = $1 and id = $2', [
      uuidIn(orgId),
      uuidIn(id),
      after && JSON.stringify(after),
    ]);
  }

  async end({ orgId, id }: DueProperty): Promise<void> {
    const text = 'delete from times_changes where org_id = $1 and id = $2';
    await this.database.rows(orgId, text, [uuidIn(orgId), uuidIn(id)]);
  }
}
