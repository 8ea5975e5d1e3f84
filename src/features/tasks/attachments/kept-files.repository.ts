import { Injectable } from '@nestjs/common';
import { uuidIn } from '#persistence';
import { SystemDatabase } from '#system-database';

const name = 'file-sweep';
export const soonestSweep = `coalesce((select due_at from schedules where name = '${name}'), $1::timestamptz)`;

/** The files that a task of any organization lists, and when the next sweep is due. */
@Injectable()
export class KeptFilesRepository {
  constructor(private readonly database: SystemDatabase) {}

  async isDue(now: string): Promise<boolean> {
    const text = 'select 1 from schedules where name = $1 and due_at > $2';
    return (await this.database.rows(text, [name, now])).length === 0;
  }

  /** Takes this round for one process; false where another has it. */
  async claim(now: string, next: string): Promise<boolean> {
    const claimed = await this.database.rows(
      `insert into schedules (name, due_at) values ($1, $2)
       on conflict (name) do update set due_at = excluded.due_at where schedules.due_at <= $3
       returning name`,
      [name, next, now],
    );
    return claimed.length > 0;
  }

  /**
   * Of these files, as pairs of organization and file, those to keep: a task names them, or their organization is not in
   * this database. Such files belong to another database, which must not lose them to a wrong DATABASE_URL.
   */
  async toKeep(files: readonly { orgId: string; id: string }[]): Promise<Set<string>> {
    const rows = await this.database.rows(
      `select f.id from unnest($1::uuid[], $2::text[]) f (org_id, id)
        where not exists (select 1 from organizations o where o.id = f.org_id)
           or exists (select 1 from tasks t where t.org_id = f.org_id and t.files <> '[]'
                         and t.files @> jsonb_build_array(jsonb_build_object('id', f.id)))`,
      [files.map(({ orgId }) => uuidIn(orgId)), files.map(({ id }) => id)],
    );
    return new Set(rows.map(({ id }) => id as string));
  }
}
