import { recordOf, type TenantDatabase, uuidIn, Where } from '#persistence';
import type { SystemDatabase } from '#system-database';
import { inFuture } from './backoff.js';
import { type ClaimColumns, claimStatements } from './claim-columns.js';
import { DueTimer } from './due-timer.js';
import { HeldClaims } from './held-claims.js';
import type { Jobs } from './jobs.js';
import type { Log, Work } from './work.js';

/** A row of an organization that may need work. */
export interface DueRow {
  orgId: string;
  id: string;
}

/** A row that one process has to itself until its lease is over, and what tells this claim from any other. */
export interface Claim extends DueRow {
  fence: number | string;
}

/** Work on claimed rows: how rows are claimed, and what to do with a claimed one. */
export interface ClaimedWork extends Pick<Work, 'lane'> {
  /** They also name the work. */
  readonly claims: ClaimedTable;
  /** Where no column of the table says when a row is due. */
  readonly soonest?: Work['soonest'];
  due?(now: string): Promise<DueRow[]>;

  /**
   * Does the row's work, and ends or postpones its claim with its writes. Each write is fenced: it applies only while
   * the row meets `claims.where(claim)`. Work that throws is repeated when the lease has expired.
   *
   * @param signal aborts when the process ends, or the claim is lost.
   */
  perform(claim: Claim, signal: AbortSignal): Promise<void>;
}

/** Turns it into work for `Jobs`: a row is claimed before it is performed, and the claim is renewed until it ends. */
export const claiming = (work: ClaimedWork): Work<DueRow> => ({
  name: work.claims.work,
  lane: work.lane,
  soonest: work.soonest ?? work.claims.soonest,
  due: (now) => (work.due ? work.due(now) : work.claims.due(now)),
  perform: async (row, ending) => {
    const claim = await work.claims.take(row);
    if (claim) await work.claims.hold(claim, (lost) => work.perform(claim, AbortSignal.any([ending, lost])));
  },
});

/**
 * The rows of one table, each of which is processed by one process at a time. A claim is a lease on the row: those of a
 * process that died expire, and a process that was only slow finds that its fence is no longer valid. All times are
 * those of `Date`.
 */
export class ClaimedTable {
  private readonly statements: ReturnType<typeof claimStatements>;
  private readonly held: HeldClaims<Claim>;

  constructor(
    private readonly tenant: TenantDatabase,
    private readonly system: SystemDatabase,
    private readonly columns: ClaimColumns,
    private readonly jobs: Pick<Jobs, 'wake'>,
    log: Log,
  ) {
    this.statements = claimStatements(columns);
    const { table, renewal } = columns;
    const timer = renewal && new DueTimer(`claims of ${table}`, renewal.everyMs, () => this.renew(), log);
    this.held = new HeldClaims((claims) => this.prolongAll(claims), timer);
  }

  /** The name of the work that is done on these rows. */
  get work(): string {
    return this.columns.work;
  }

  /** The column that says since when a row is due. */
  get dueColumn(): string | undefined {
    return this.columns.due;
  }

  /** `Work.soonest` of work on these rows. */
  get soonest(): string {
    return this.having(this.statements.soonest);
  }

  /** Due rows of all organizations in turn that nobody has claimed. */
  async due(now: string): Promise<DueRow[]> {
    return (await this.system.rows(this.having(this.statements.due), [now])).map(recordOf(this.columns.prefix));
  }

  /** Claims a due row. Undefined if another process has it, or it is no longer due. */
  take(row: DueRow): Promise<Claim | undefined> {
    return this.takeBy(this.statements.take, row);
  }

  /** The same for a row that need not be due, where a column of its own says until when it is claimed. */
  takeEarly(row: DueRow): Promise<Claim | undefined> {
    return this.takeBy(this.having(this.statements.takeEarly), row);
  }

  /** The end of a claim that is created or renewed now. */
  leaseEnd(): string {
    return inFuture(this.columns.leaseMs);
  }

  /** The condition that the row meets while the claim is valid. */
  where({ orgId, id, fence }: Claim): Where {
    const { fence: number, until, due, while: whileTrue = 'true' } = this.columns;
    return new Where()
      .and('org_id = ?', uuidIn(orgId))
      .and('id = ?', uuidIn(id))
      .and(`${number ?? until ?? due} = ?`, fence)
      .and(whileTrue);
  }

  /**
   * Renews the claim while the work continues.
   *
   * @param work is given a signal that aborts when the claim is lost, or this process is to end.
   */
  hold(claim: Claim, work: (over: AbortSignal) => Promise<void>): Promise<void> {
    return this.held.hold(claim, work);
  }

  /** Stops the work on claimed rows when the process ends, and waits for it. */
  end(): Promise<void> {
    return this.held.end();
  }

  /** A row is due at this time once the current transaction, if there is one, has committed. */
  becomesDue(at: string): void {
    const wake = (): void => this.jobs.wake(this.work, at);
    if (this.tenant.inTransaction) this.tenant.afterCommit(wake);
    else wake();
  }

  /** Releases the row, so that others may claim it. */
  async release(claim: Claim, from = new Date().toISOString()): Promise<void> {
    this.held.letExpire(claim);
    const { orgId, id, fence } = claim;
    await this.tenant.rows(orgId, this.statements.release, [uuidIn(orgId), uuidIn(id), fence, from]);
  }

  /** Claims the row for another lease, whose end is the fence from then on. */
  async prolong({ orgId, id, fence }: Claim): Promise<Claim> {
    const until = this.leaseEnd();
    await this.tenant.rows(orgId, this.statements.release, [uuidIn(orgId), uuidIn(id), fence, until]);
    return { orgId, id, fence: until };
  }

  /** Who works on the row here stops; elsewhere this is noticed when the claim is renewed. */
  abort(id: string): void {
    this.held.abort((claim) => claim.id === id);
  }

  renew(): Promise<void> {
    return this.held.renew();
  }

  /** Renews claims of all organizations in one statement. */
  private async prolongAll(claims: readonly Claim[]): Promise<ReadonlySet<Claim>> {
    const rows = await this.system.rows(this.statements.renew, [
      claims.map(({ orgId }) => uuidIn(orgId)),
      claims.map(({ id }) => uuidIn(id)),
      claims.map(({ fence }) => fence),
      this.leaseEnd(),
    ]);
    return new Set(rows.map(({ place }) => claims[(place as number) - 1] as Claim));
  }

  private having(statement: string | undefined): string {
    if (!statement) throw new Error(`${this.columns.table} lacks the column for this`);
    return statement;
  }

  private async takeBy(statement: string, { orgId, id }: DueRow): Promise<Claim | undefined> {
    const now = new Date().toISOString();
    const [row] = await this.tenant.rows(orgId, statement, [uuidIn(orgId), uuidIn(id), now, this.leaseEnd()]);
    return row && { orgId, id, fence: row.fence as Claim['fence'] };
  }
}
