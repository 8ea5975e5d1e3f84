import type { Answer } from '#errors';
import { type TenantDatabase, uuidIn } from '#persistence';
import type { Keyring } from '#secrets';

export interface IdempotentRequest {
  orgId: string;
  /** Who the key belongs to: the API key, or the pair of application and user. */
  principal: string;
  key: string;
  fingerprint: string;
  operation: string;
  requestId: string;
  /** Kept encrypted: the answer shows a secret. */
  secret: boolean;
  /** The properties that the caller sees at this moment; null for all. */
  propertyIds: readonly string[] | null;
  /** How long a handler with transactions of its own may take; longer than any does, if it is left out. */
  leaseMs?: number;
}

export type Claim =
  | { verdict: 'new' }
  | { verdict: 'in_flight' }
  | { verdict: 'mismatch' }
  /** The answer was for a caller that saw more properties than this one. */
  | { verdict: 'beyond' }
  | { verdict: 'replay'; answer: Answer; requestId: string };

const keptMs = 24 * 60 * 60 * 1_000;
/** Longer than any handler calls out, so that a lease that is over belongs to a process that is gone. */
const defaultLeaseMs = 60_000;

/** Answers kept for 24 hours under their idempotency keys; the record commits with the business rows. */
export class IdempotencyRecords {
  constructor(
    private readonly database: TenantDatabase,
    private readonly keyring: Keyring,
  ) {}

  /**
   * Claims the key for the current transaction. By a volatile function, and not one query, because the lock must be held
   * before the snapshot that looks for a record is taken. The savepoint keeps the claim when the handler's own work is
   * undone.
   */
  async claim(request: IdempotentRequest): Promise<Claim> {
    const { orgId, principal, key, fingerprint } = request;
    const [row] = await this.database.rows(orgId, 'select * from claim_idempotency_key($1, $2, $3, $4, $5)', [
      uuidIn(orgId),
      principal,
      key,
      fingerprint,
      new Date().toISOString(),
    ]);
    if (!row) throw new Error('The idempotency key was not claimed');
    this.database.defer(orgId, 'savepoint handler', []);
    const verdict = row.verdict as Claim['verdict'];
    if (verdict !== 'replay') return { verdict };
    if (!(await this.isWithinLimit(request))) return { verdict: 'beyond' };
    const body = row.body as Buffer;
    return {
      verdict,
      requestId: row.request_id as string,
      answer: {
        status: row.status as number,
        headers: row.headers as Record<string, string>,
        body: row.encrypted ? this.keyring.open(body, contextOf(request)) : body.toString('utf8'),
      },
    };
  }

  /** Whether the caller still sees every property that it saw when the answer was kept. */
  private async isWithinLimit({ orgId, principal, key, propertyIds }: IdempotentRequest): Promise<boolean> {
    if (!propertyIds) return true;
    const [row] = await this.database.rows(
      orgId,
      `select coalesce(property_limit <@ $4::jsonb, true) as within from idempotency_records
        where org_id = $1 and principal = $2 and key = $3`,
      [uuidIn(orgId), principal, key, JSON.stringify(propertyIds)],
    );
    return row?.within as boolean;
  }

  /** Undoes what the handler wrote, so that its refusal alone is kept. */
  async undo({ orgId }: IdempotentRequest): Promise<void> {
    await this.database.rows(orgId, 'rollback to savepoint handler', []);
  }

  /** The record commits with what the handler wrote. */
  record(request: IdempotentRequest, answer: Answer): void {
    const { status, headers } = answer;
    this.insert(request, [status, JSON.stringify(headers), this.stored(request, answer), null]);
  }

  /**
   * For a handler that keeps transactions of its own: commits the claim before it runs. Until the lease is over the
   * request is in flight; after that a retry runs the handler again.
   *
   * @returns when the lease is over; it tells this attempt from a later one.
   */
  lease(request: IdempotentRequest): string {
    const until = new Date(Date.now() + (request.leaseMs ?? defaultLeaseMs)).toISOString();
    this.insert(request, [null, null, null, until]);
    return until;
  }

  /** Keeps the answer of the attempt that holds the lease; without one the key is free again. */
  async settle(request: IdempotentRequest, lease: string, answer?: Answer): Promise<void> {
    const { orgId, principal, key } = request;
    const attempt = [uuidIn(orgId), principal, key, lease];
    const ofAttempt = 'where org_id = $1 and principal = $2 and key = $3 and lease_until = $4';
    await (answer
      ? this.database.rows(
          orgId,
          `update idempotency_records set status = $5, headers = $6, body = $7, lease_until = null ${ofAttempt}`,
          [...attempt, answer.status, JSON.stringify(answer.headers), this.stored(request, answer)],
        )
      : this.database.rows(orgId, `delete from idempotency_records ${ofAttempt}`, attempt));
  }

  private insert(request: IdempotentRequest, answer: unknown[]): void {
    const { orgId, principal, key, fingerprint, operation, requestId, secret, propertyIds } = request;
    const now = Date.now();
    const [createdAt, expiresAt] = [now, now + keptMs].map((time) => new Date(time).toISOString());
    this.database.defer(
      orgId,
      `insert into idempotency_records
         (org_id, principal, key, operation, fingerprint, request_id, encrypted, created_at, expires_at,
          property_limit, status, headers, body, lease_until)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
      [
        uuidIn(orgId),
        principal,
        key,
        operation,
        fingerprint,
        requestId,
        secret,
        createdAt,
        expiresAt,
        JSON.stringify(propertyIds),
        ...answer,
      ],
    );
  }

  private stored(request: IdempotentRequest, { body }: Answer): Buffer {
    return request.secret ? this.keyring.seal(body, contextOf(request)) : Buffer.from(body, 'utf8');
  }
}

const contextOf = ({ orgId, principal, key }: IdempotentRequest): string => `idempotency:${orgId}:${principal}:${key}`;
