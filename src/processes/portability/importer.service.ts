import { Inject, Injectable } from '@nestjs/common';
import { conflict } from '#errors';
import { idColumn, newId, RowImages, uuidIn, violates } from '#persistence';
import { randomBase62 } from '#regions';
import { Keyring } from '#secrets';
import { SystemDatabase } from '#system-database';
import { type Config, CONFIG } from '../../platform/config/app.config.js';
import { EventsService } from '../../platform/events/events.service.js';
import { AttachmentStore } from '../../features/tasks/attachments/attachment-store.js';
import { Organization } from '../../tenancy/organizations/organization.entity.js';
import { organizationCreated } from '../../tenancy/organizations/organizations.events.js';
import { filePath } from './exporter.service.js';
import { Batch, insertRows } from './import-batch.js';
import { contentOf, headIn, type Line, notAnExport, parsed, type Person, type Row } from './import-lines.js';
import { type PortableTable, portableTables } from './portable-tables.js';
import { bytea, SealedColumns } from './sealed-columns.js';

export interface Imported {
  id: string;
  name: string;
  slug: string;
  people: number;
  records: number;
  files: number;
  /** Records of the export that have to be created again, by table. */
  leftOut: Record<string, number>;
}

const orgIds = idColumn('org');
const tables = new Map(portableTables.map((table) => [table.name, table]));
const record = /^\{"table":"(\w+)","row":/;

/** Reads what the exporter has written, all of it or nothing. Ids stay, so that references of other systems do. */
@Injectable()
export class Importer {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly database: SystemDatabase,
    private readonly keyring: Keyring,
    private readonly sealed: SealedColumns,
    private readonly files: AttachmentStore,
    private readonly events: EventsService,
  ) {}

  /**
   * @param slug replaces that of the export.
   * @throws validation_error for what is not an export; conflict_error if the organization or its slug exists here.
   */
  async import(lines: AsyncIterable<string>, slug?: string): Promise<Imported> {
    const stored: string[] = [];
    try {
      return await this.database.transaction(() => this.read(lines, slug, stored));
    } catch (error) {
      for (const path of stored) await this.files.remove(path);
      if (violates(error, 'organizations_pkey'))
        throw conflict('ORGANIZATION_EXISTS', 'This organization exists here. Import it into another service.');
      if (violates(error, 'organizations_slug'))
        throw conflict('SLUG_TAKEN', 'The slug is taken here. Pass another one with --slug.');
      if (isOfData(error)) throw notAnExport(`A record does not fit: ${error.message}.`);
      throw error;
    }
  }

  /** @param stored where the paths of files are noted, before they are there. */
  private async read(lines: AsyncIterable<string>, slug: string | undefined, stored: string[]): Promise<Imported> {
    const reader = lines[Symbol.asyncIterator]();
    const { organization } = headIn((await reader.next()).value as string | undefined);
    const orgId = organization.id.replaceAll('-', '');
    const imported: Imported = {
      id: orgIds.from(organization.id) as string,
      name: organization.name,
      slug: slug ?? organization.slug,
      people: 0,
      records: 0,
      files: 0,
      leftOut: {},
    };
    // Limits are for the operator of this service to raise, and a file may say anything.
    const { quota_limits: _quotas, model_calls_per_minute: _calls, ...kept } = organization;
    const { region } = this.config;
    const now = new Date().toISOString();
    const opened = { region, slug: imported.slug, status: 'active', closed_at: null, erased_at: null, updated_at: now };
    await insertRows(this.database, 'organizations', JSON.stringify([{ ...kept, ...opened }]));
    const users = new Map<string, string>();
    const batch = new Batch();
    let bytes = 0;
    for (let next = await reader.next(); !next.done; next = await reader.next()) {
      const line = next.value;
      if (line === '') continue;
      const { person, file, ...rest } = parsed(line) as Line;
      const [start, name = ''] = record.exec(line) ?? [];
      const table = tables.get(name);
      if (start !== undefined && Object.keys(rest).length === 2) {
        if (!table || table.exportOnly) imported.leftOut[name] = (imported.leftOut[name] ?? 0) + 1;
        else {
          if (batch.isFullFor(table)) await batch.flush(this.database, orgId);
          batch.add(table, this.rowIn(table, line.slice(start.length, -1), { orgId, users }));
          imported.records += 1;
        }
        continue;
      }
      if (person) {
        users.set(person.id, await this.userOf(person));
        imported.people += 1;
      } else if (file) {
        const content = contentOf(file);
        const path = filePath(imported.id, file.id);
        stored.push(path);
        await this.files.put(path, content);
        bytes += content.length;
        imported.files += 1;
      } else throw notAnExport('It has a line that is neither a record, a person nor a file.');
    }
    await batch.flush(this.database, orgId);
    if (bytes > 0)
      await this.database.rows('insert into attachment_totals (org_id, bytes) values ($1, $2)', [orgId, bytes]);
    await this.recordCreation(imported.id);
    return imported;
  }

  /** What is bound to this service is created here, and what was opened is sealed again. */
  private rowIn(
    { name, sealed, namesPeople }: PortableTable,
    text: string,
    { orgId, users }: { orgId: string; users: ReadonlyMap<string, string> },
  ): string {
    if (!sealed && !namesPeople) return text;
    const row = parsed(text) as Row | null;
    const given = row?.[sealed?.idColumn ?? 'id'];
    if (!row || typeof given !== 'string') throw notAnExport('It has a record without an id.');
    const id = given.replaceAll('-', '');
    if (sealed) row[sealed.column] = this.sealed.seal(sealed, row[sealed.column], { orgId, id });
    if (name === 'properties') {
      const token = randomBase62();
      row.feed_token = bytea(this.keyring.seal(token, `feed:property_${id}`));
      row.feed_hash = bytea(this.keyring.hash(token));
    }
    if (namesPeople && row.user_id !== null) row.user_id = users.get(row.user_id as string) ?? null;
    return JSON.stringify(row);
  }

  /** The account of that address, or a new one, whose password is set by the letter for a forgotten one. */
  private async userOf({ id, email, name }: Person): Promise<string> {
    const [known] = await this.database.rows('select id from users where lower(email) = lower($1)', [email]);
    if (known) return known.id as string;
    const [taken] = await this.database.rows('select 1 from users where id = $1', [id]);
    const own = taken ? uuidIn(newId('user')) : id;
    const now = new Date().toISOString();
    await this.database.rows(
      `insert into users (id, email, name, password_hash, has_second_factor, created_at, updated_at)
       values ($1, $2, $3, null, false, $4, $4)`,
      [own, email, name, now],
    );
    return own;
  }

  /** The one event of an import: its records are as they were, and nothing happened to them. */
  private async recordCreation(orgId: string): Promise<void> {
    const images = new RowImages(this.database.dataSource, Organization);
    const rows = await this.database.rows(
      `update organizations set version = version + 1 where id = $1 returning ${images.columns}`,
      [uuidIn(orgId)],
    );
    const { after } = images.readOne(rows[0] as Row);
    await this.events.recordAbove({ type: 'service' }, organizationCreated, { ...after, orgId });
  }
}

/** Values that a column cannot have, and references to nothing (SQLSTATE classes 22 and 23). */
const isOfData = (error: unknown): error is Error =>
  error instanceof Error && /^2[23]/.test(String((error as { code?: unknown }).code));
