import { Injectable } from '@nestjs/common';
import { idColumn, uuidIn } from '#persistence';
import { SystemDatabase } from '#system-database';
import { type ChainPosition, chainStart, entryColumns, readEntry } from './audit-entries.repository.js';
import type { AuditEntryView, AuditSeal } from './audit-entry.dto.js';

const ids = { org: idColumn('org'), audit: idColumn('audit') };

/** The head of an organization's chain, signed, so that nobody without the keyring can shorten the chain. */
export interface Head extends AuditSeal {
  signature: Buffer;
  /** Behind the last entry that is sealed. */
  entry: ChainPosition;
  sealedAt: string;
}

export interface Seal extends AuditSeal {
  entryId: string;
  /** Undefined if the entry is gone. */
  entry?: AuditEntryView;
}

interface Unsealed {
  /** The last entry that was read; undefined at the end. */
  last: string | undefined;
  found: { entry: AuditEntryView; signature: Buffer; isLate: boolean }[];
}

/** The holder of the lock with this name may extend the chain of an organization. */
export const chainName = (orgId: string): string => `audit ${orgId}`;

/** The text that is signed of a head. */
export const headText = ({ position, hash }: AuditSeal): string => `head ${position} ${hash}`;

@Injectable()
export class AuditSealsRepository {
  constructor(private readonly database: SystemDatabase) {}

  /** The organizations with entries to be sealed: of transactions that have ended, and all before them too. */
  async behind(): Promise<string[]> {
    const rows = await this.database.rows(
      `select o.id from organizations o left join audit_heads h on h.org_id = o.id
        where exists (
          select 1 from audit_entries e
           where e.org_id = o.id and e.transaction_id < pg_snapshot_xmin(pg_current_snapshot())
             and (e.transaction_id, e.id) > (coalesce(h.transaction_id, $1::xid8), coalesce(h.entry_id, $2::uuid)))`,
      [chainStart.transactionId, uuidIn(chainStart.entryId)],
    );
    return rows.map(({ id }) => ids.org.from(id) as string);
  }

  /** Locks the chain of an organization until the transaction ends; false if another process has it. */
  async lock(orgId: string): Promise<boolean> {
    const [row] = await this.database.rows('select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as held', [
      chainName(orgId),
    ]);
    return row?.held as boolean;
  }

  async head(orgId: string): Promise<Head | undefined> {
    const [row] = await this.database.rows(
      `select position, encode(hash, 'hex') as hash, signature, transaction_id::text as transaction, entry_id, sealed_at
         from audit_heads where org_id = $1`,
      [uuidIn(orgId)],
    );
    return (
      row && {
        position: row.position as number,
        hash: row.hash as string,
        signature: row.signature as Buffer,
        entry: { transactionId: row.transaction as string, entryId: ids.audit.from(row.entry_id) as string },
        sealedAt: row.sealed_at as string,
      }
    );
  }

  /** The next entries to seal: nothing that commits later can precede one of them. */
  async next(orgId: string, { transactionId, entryId }: ChainPosition, limit: number) {
    const rows = await this.database.rows(
      `select ${entryColumns}, e.transaction_id::text as transaction from audit_entries e
        where e.org_id = $1 and (e.transaction_id, e.id) > ($2::xid8, $3::uuid)
          and e.transaction_id < pg_snapshot_xmin(pg_current_snapshot())
        order by e.transaction_id, e.id limit ${limit}`,
      [uuidIn(orgId), transactionId, uuidIn(entryId)],
    );
    return rows.map((row) => ({ entry: readEntry(row), transactionId: row.transaction as string }));
  }

  async append(orgId: string, seals: readonly Seal[], head: Head): Promise<void> {
    await this.database.rows(
      `insert into audit_seals (org_id, position, entry_id, hash)
       select $1, position, entry_id, decode(hash, 'hex')
         from unnest($2::bigint[], $3::uuid[], $4::text[]) as s (position, entry_id, hash)`,
      [
        uuidIn(orgId),
        seals.map(({ position }) => position),
        seals.map(({ entryId }) => uuidIn(entryId)),
        seals.map(({ hash }) => hash),
      ],
    );
    const { position, hash, signature, entry, sealedAt } = head;
    await this.database.rows(
      `insert into audit_heads as h (org_id, position, hash, signature, transaction_id, entry_id, sealed_at)
       values ($1, $2, decode($3, 'hex'), $4, $5::xid8, $6, $7)
       on conflict (org_id) do update set position = $2, hash = decode($3, 'hex'), signature = $4,
         transaction_id = $5::xid8, entry_id = $6, sealed_at = $7`,
      [uuidIn(orgId), position, hash, signature, entry.transactionId, uuidIn(entry.entryId), sealedAt],
    );
  }

  /** Seals behind a position, in order, each with its entry and the signature of that. */
  async seals(orgId: string, behind: number, limit: number): Promise<(Seal & { signature: Buffer | null })[]> {
    const rows = await this.database.rows(
      `select s.position, s.entry_id, encode(s.hash, 'hex') as hash, ${entryColumns}, e.signature
         from audit_seals s left join audit_entries e on e.org_id = s.org_id and e.id = s.entry_id
        where s.org_id = $1 and s.position > $2 order by s.position limit ${limit}`,
      [uuidIn(orgId), behind],
    );
    return rows.map((row) => ({
      position: row.position as number,
      entryId: ids.audit.from(row.entry_id as string) as string,
      hash: row.hash as string,
      signature: row.signature as Buffer | null,
      ...(row.id !== null && { entry: readEntry(row) }),
    }));
  }

  /**
   * Reads this many entries after a position, and returns those without a seal. An entry before the head without a seal
   * did not exist when it should have been sealed.
   */
  async unsealed(orgId: string, behind: string, looksAt: number, head: ChainPosition): Promise<Unsealed> {
    const rows = await this.database.rows(
      `with page as materialized (
         select * from audit_entries where org_id = $1 and id > $2 order by id limit ${looksAt})
       select l.id as last, e.*, (e.transaction_id, e.id) <= ($3::xid8, $4::uuid) as late
         from (select id from page order by id desc limit 1) l
         left join page e on not exists (select 1 from audit_seals s where s.org_id = e.org_id and s.entry_id = e.id)`,
      [uuidIn(orgId), uuidIn(behind), head.transactionId, uuidIn(head.entryId)],
    );
    const last = rows[0]?.last as string | undefined;
    return {
      last: last && (ids.audit.from(last) as string),
      found: rows
        .filter(({ id }) => id !== null)
        .map((row) => ({ entry: readEntry(row), signature: row.signature as Buffer, isLate: row.late as boolean })),
    };
  }
}
