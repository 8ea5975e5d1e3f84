import { Injectable } from '@nestjs/common';
import { notFound } from '#errors';
import { uuidIn } from '#persistence';
import { SystemDatabase } from '#system-database';
import { version } from '../../platform/config/version.js';
import { AttachmentStore } from '../../features/tasks/attachments/attachment-store.js';
import { exportFormat, exportVersion } from './import-lines.js';
import { type PortableTable, portableTables, type SealedColumn } from './portable-tables.js';
import { SealedColumns, storedIn } from './sealed-columns.js';

const rowsAtOnce = 500;

/**
 * An organization as lines of JSON: a line about the export, the people who are its members, each record of each table
 * with the ids that refer to others, and the files of its tasks.
 */
@Injectable()
export class Exporter {
  constructor(
    private readonly database: SystemDatabase,
    private readonly sealed: SealedColumns,
    private readonly files: AttachmentStore,
  ) {}

  /** Runs `work` in a transaction that sees everything as of one moment. */
  asOfNow<T>(work: () => Promise<T>): Promise<T> {
    return this.database.transaction(async () => {
      await this.database.rows('set transaction isolation level repeatable read');
      return await work();
    });
  }

  /**
   * Within `asOfNow`.
   *
   * @param take gets each line, without its end.
   * @returns the number of records.
   * @throws not_found_error
   */
  async export(orgId: string, take: (line: string) => Promise<void>): Promise<number> {
    const [organization] = await this.database.rows(
      'select to_jsonb(o)::text as row from organizations o where id = $1 and erased_at is null',
      [uuidIn(orgId)],
    );
    if (!organization) throw notFound('organization', 'Pass an organization that is not erased.');
    const head = {
      format: exportFormat,
      version: exportVersion,
      release: version,
      exportedAt: new Date().toISOString(),
    };
    await take(`${JSON.stringify(head).slice(0, -1)},"organization":${organization.row as string}}`);
    const people = await this.database.rows(
      `select distinct u.id, u.email, u.name from users u join members m on m.user_id = u.id
        where m.org_id = $1 and m.status <> 'invited' order by u.id`,
      [uuidIn(orgId)],
    );
    for (const person of people) await take(JSON.stringify({ person }));
    let records = 0;
    for (const table of portableTables) {
      for await (const row of this.rowsOf(table, orgId)) {
        await take(`{"table":"${table.name}","row":${row}}`);
        records += 1;
      }
    }
    for await (const file of this.filesOf(orgId)) await take(JSON.stringify({ file }));
    return records;
  }

  /** As PostgreSQL writes them: numbers of 64 bits and times to the microsecond would lose digits in between. */
  private async *rowsOf({ name, without = [], sealed }: PortableTable, orgId: string): AsyncGenerator<string> {
    const left = [...without, ...(sealed ? [sealed.column] : [])].map((column) => ` - '${column}'`).join('');
    // The same columns for each table, because FETCH is prepared once.
    const [bytes, id] = sealed ? [storedIn(sealed), `t.${sealed.idColumn}`] : ['null::bytea', 'null::uuid'];
    await this.database.rows(
      `declare exported no scroll cursor for
         select (to_jsonb(t)${left})::text as row, ${bytes} as sealed, replace(${id}::text, '-', '') as id
           from ${name} t where t.org_id = $1`,
      [uuidIn(orgId)],
    );
    for (;;) {
      const rows = await this.database.rows(`fetch ${rowsAtOnce} from exported`);
      for (const row of rows) yield this.withOpened(row, sealed, orgId);
      if (rows.length < rowsAtOnce) break;
    }
    await this.database.rows('close exported');
  }

  private withOpened({ row, sealed, id }: Record<string, unknown>, column: SealedColumn | undefined, orgId: string) {
    if (!column) return row as string;
    const opened = this.sealed.open(column, sealed as Buffer | null, { orgId, id: id as string });
    return `${(row as string).slice(0, -1)},"${column.column}":${JSON.stringify(opened)}}`;
  }

  private async *filesOf(orgId: string): AsyncGenerator<{ id: string; contentBase64: string }> {
    const rows = await this.database.rows(
      `select file->>'id' as id from tasks, jsonb_array_elements(files) file where org_id = $1`,
      [uuidIn(orgId)],
    );
    for (const row of rows) {
      const id = row.id as string;
      const content = await this.files.get(filePath(orgId, id));
      if (content) yield { id, contentBase64: content.toString('base64') };
    }
  }
}

export const filePath = (orgId: string, fileId: string): string => `${uuidIn(orgId)}/${uuidIn(fileId)}`;
