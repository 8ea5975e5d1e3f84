import { Injectable } from '@nestjs/common';
import { TenantDatabase, uuidIn } from '#persistence';
import { Keyring } from '#secrets';
import { mapInTurns } from '#turns';
import type { Images } from './images.js';
import type { UndoStep } from './undo.js';

export const undoKeptMs = 7 * 86_400_000;

/** What an undo needs to know of a change. */
export interface KeptStep {
  readonly step: UndoStep;
  /** The fields that differ, before and after. */
  readonly changed: Images;
}

/** A change with an entry in the audit trail. */
export interface NotedChange {
  readonly entryId: string;
  readonly eventId: string;
  readonly type: string;
  readonly subjectId: string;
  /** Whether it follows from another change of its request. */
  readonly follows: boolean;
  /** How it is undone, or why it cannot be. */
  readonly kept: KeptStep | string;
}

/** Keeps how each change is undone. The values before it are encrypted, since they may be about guests. */
@Injectable()
export class UndoSteps {
  constructor(
    private readonly database: TenantDatabase,
    private readonly keyring: Keyring,
  ) {}

  /** In the current transaction, by one statement; costs no round trip. */
  async keepAtCommit(orgId: string, changes: readonly NotedChange[]): Promise<void> {
    const rows = await mapInTurns(changes, (change) => this.valuesOf(change));
    const [first, ...others] = rows;
    if (!first) return;
    const [text, values] =
      others.length === 0
        ? [insertion, first]
        : [insertionOfAll, first.map((_, place) => rows.map((row) => row[place]))];
    this.database.defer(orgId, text, [uuidIn(orgId), new Date().toISOString(), ...values]);
  }

  /** Forgets the values of these records, at the end of the current transaction: also those that it has kept before. */
  forgetAtCommit(orgId: string, subjectIds: readonly string[], reason: string): void {
    this.database.keep(this.forget, [{ orgId, subjectIds, reason }]);
  }

  private readonly forget = (all: readonly Forgotten[]): void => {
    for (const { orgId, subjectIds, reason } of all)
      this.database.defer(
        orgId,
        'update undo_steps set sealed = null, reason = $3 where org_id = $1 and subject_id = any($2)',
        [uuidIn(orgId), subjectIds, reason],
      );
  };

  private valuesOf({ entryId, eventId, type, subjectId, follows, kept }: NotedChange): unknown[] {
    const isReason = typeof kept === 'string';
    const sealed = isReason ? null : this.keyring.seal(JSON.stringify(kept), contextOf(entryId));
    return [uuidIn(entryId), uuidIn(eventId), type, subjectId, follows, isReason ? kept : null, sealed];
  }

  open(entryId: string, sealed: Buffer): KeptStep {
    return JSON.parse(this.keyring.open(sealed, contextOf(entryId))) as KeptStep;
  }
}

/** Records whose values are forgotten. */
interface Forgotten {
  orgId: string;
  subjectIds: readonly string[];
  reason: string;
}

const names = 'entry_id, event_id, event_type, subject_id, follows, reason, sealed';
const insertion = `insert into undo_steps (org_id, created_at, ${names}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`;
const insertionOfAll = `insert into undo_steps (org_id, created_at, ${names})
  select $1, $2, * from unnest($3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::boolean[], $8::text[], $9::bytea[])`;

const contextOf = (entryId: string): string => `undo ${entryId}`;
