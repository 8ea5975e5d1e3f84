import { Injectable } from '@nestjs/common';
import { type Claim, type ClaimedRows, type ClaimedTable, ClaimedTables } from '#jobs';
import type { Page } from '#operations';
import { Cursors, TenantDatabase, uuidIn } from '#persistence';
import type { ListApprovals } from './approval.dto.js';
import { Approval } from './approval.entity.js';

const forChange = 'for no key update';
/** How long a key is remembered after the end. */
const dayAgo = (): string => new Date(Date.now() - 24 * 3_600_000).toISOString();
/** How many idempotency keys the row of an approval keeps: a client may use a new one with each call. */
const mostJoined = 100;

@Injectable()
export class ApprovalsRepository {
  readonly claims: ClaimedTable;
  private readonly table: ClaimedRows<Approval>;

  constructor(
    private readonly database: TenantDatabase,
    tables: ClaimedTables,
    cursors: Cursors,
  ) {
    this.table = tables.rowsOf(Approval, cursors, {
      work: 'approvals',
      table: 'approvals',
      prefix: 'approval',
      due: 'due_at',
      fence: 'attempts',
      leaseMs: 30_000,
      renewal: { everyMs: 10_000 },
    });
    this.claims = this.table.claims;
  }

  find(orgId: string, id: string, tail = ''): Promise<Approval | undefined> {
    return this.table.findOne(orgId, this.table.where(orgId).and('id = ?', uuidIn(id)), tail);
  }

  findForChange(orgId: string, id: string): Promise<Approval | undefined> {
    return this.find(orgId, id, forChange);
  }

  /** What the principal asked for with a key, or repeated with it while that waited. */
  async ofKey(orgId: string, principal: string, key: string): Promise<Approval | undefined> {
    const own = () => this.table.where(orgId).and('principal = ?', principal);
    const asked = await this.table.findOne(orgId, own().and('idempotency_key = ?', key));
    if (asked) return asked;
    const joined = own().and(`joined_keys <> '{}'`).and('? = any(joined_keys)', key);
    return this.table.findOne(orgId, joined.and('(ended_at is null or ended_at > ?)', dayAgo()));
  }

  /** From now on the key stands for what waits, so that its retry gets the result and nobody is asked twice. */
  async join({ orgId, id }: Approval, key: string): Promise<void> {
    await this.database.rows(
      orgId,
      `update approvals set joined_keys = array_append(joined_keys, $3)
        where org_id = $1 and id = $2 and idempotency_key is distinct from $3
          and $3 <> all(joined_keys) and cardinality(joined_keys) < $4`,
      [uuidIn(orgId), uuidIn(id), key, mostJoined],
    );
  }

  /** What the principal waits for; others of the same principal wait with their insertion until the transaction ends. */
  async pendingOf(orgId: string, principal: string): Promise<Approval[]> {
    const lock = 'select pg_advisory_xact_lock(hashtextextended($1, 0))';
    this.database.defer(orgId, lock, [`approvals ${uuidIn(orgId)} ${principal}`]);
    const where = this.table.where(orgId).and('principal = ?', principal).and(`status = 'pending'`);
    return await this.table.find(orgId, where, `order by id ${forChange}`);
  }

  /** What the principal waits for that is the same request. */
  waiting(orgId: string, principal: string, fingerprint: string): Promise<Approval | undefined> {
    const where = this.table.where(orgId).and('principal = ?', principal).and('fingerprint = ?', fingerprint);
    return this.table.findOne(orgId, where.and(`status = 'pending'`));
  }

  /** What a person has refused the principal since a given time, if it is the same request. */
  refusedSince(orgId: string, principal: string, fingerprint: string, since: string): Promise<Approval | undefined> {
    const where = this.table.where(orgId).and('principal = ?', principal).and('fingerprint = ?', fingerprint);
    return this.table.findOne(
      orgId,
      where.and(`status = 'refused' and ended_at > ?`, since),
      'order by id desc limit 1',
    );
  }

  /** Whether an attempt to carry it out claimed its idempotency key. */
  async hasBegun({ orgId, id, principal, idempotencyKey }: Approval): Promise<boolean> {
    const text = 'select 1 from idempotency_records where org_id = $1 and principal = $2 and key = $3';
    return (await this.database.rows(orgId, text, [uuidIn(orgId), principal, idempotencyKey ?? id])).length > 0;
  }

  /** A key is free again a day after the end, as for any other request. */
  async freeKey(orgId: string, principal: string, key: string): Promise<void> {
    await this.database.rows(
      orgId,
      `update approvals set idempotency_key = null
        where org_id = $1 and principal = $2 and idempotency_key = $3 and ended_at <= $4`,
      [uuidIn(orgId), principal, key, dayAgo()],
    );
  }

  list(orgId: string, principal: string, { status, ...request }: ListApprovals): Promise<Page<Approval>> {
    const where = this.table.where(orgId).and('principal = ?', principal).when(status, 'status = ?');
    return this.table.page(orgId, where, request);
  }

  /** What waits in an organization, newest first, at most a hundred. */
  pending(orgId: string): Promise<Approval[]> {
    const where = this.table.where(orgId).and(`status = 'pending'`).and('expires_at > ?', new Date().toISOString());
    return this.table.find(orgId, where, 'order by id desc limit 100');
  }

  /** What was decided in an organization, or ended without a decision, newest first, at most a hundred. */
  decided(orgId: string): Promise<Approval[]> {
    const ended = `(status <> 'pending' or expires_at <= ?)`;
    const where = this.table.where(orgId).and(ended, new Date().toISOString());
    return this.table.find(orgId, where, 'order by id desc limit 100');
  }

  insert(approval: Approval): Promise<Approval> {
    return this.table.insert(approval);
  }

  update(approval: Approval, changes: Partial<Approval>): Promise<Approval> {
    return this.table.update(approval, changes);
  }

  /** The approval while the claim is valid. */
  ofClaim(claim: Claim): Promise<Approval | undefined> {
    return this.table.ofClaim(claim);
  }

  /** Changes it in one transaction, if the claim is still valid. */
  settle<R>(claim: Claim, change: (approval: Approval) => Promise<R>): Promise<R | undefined> {
    return this.table.settle(claim, change);
  }
}
