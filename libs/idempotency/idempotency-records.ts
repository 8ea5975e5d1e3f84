import { type Answer, bodyOf, type ErrorEnvelope, type SuccessEnvelope } from '#errors';
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
  /** The answer contains a secret, so it is stored encrypted. */
  secret: boolean;
  /** The properties that the caller sees at this moment; null for all. */
  propertyIds: readonly string[] | null;
  /** How long a handler with its own transactions may take. The default is longer than any handler takes. */
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
/** Longer than any outbound call, so that an expired lease belongs to a process that has ended. */
const defaultLeaseMs = 60_000;

/** The SQLSTATE of `claim_new_idempotency_key` for a key that is in use or has an answer. */
const notNew = 'KEY01';

export const isOfOldKey = (error: unknown): boolean => (error as { code?: unknown }).code === notNew;

/** Stores answers for 24 hours under their idempotency keys. A record commits with the business rows. */
export class IdempotencyRecords {
  constructor(
    private readonly database: TenantDatabase,
    private readonly keyring: Keyring,
  ) {}

  /**
   * Claims the key for the current transaction. A volatile function does it, and not one query, because the lock must be
   * held before the snapshot that looks for a record is taken.
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
    const verdict = row.verdict as Claim['verdict'];
    if (verdict !== 'replay') return { verdict };
    if (!(await this.isWithinLimit(request))) return { verdict: 'beyond' };
    return { verdict, requestId: row.request_id as string, answer: this.answerIn(row, request) };
  }

  /** Claims the key with the next statement of the current transaction, which fails if the key is not new (`isOfOldKey`). */
  claimAtOnce({ orgId, principal, key }: IdempotentRequest): void {
    this.database.defer(orgId, 'select claim_new_idempotency_key($1, $2, $3)', [uuidIn(orgId), principal, key]);
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

  /** The record commits with what the handler wrote. */
  async record(request: IdempotentRequest, answer: Answer): Promise<void> {
    const { status, headers } = answer;
    this.insert(request, [status, JSON.stringify(headers), await this.stored(request, answer), null]);
  }

  /**
   * For a handler with its own transactions: commits the claim before the handler runs. Until the lease expires, the
   * request is in flight; after that, a retry runs the handler again.
   *
   * @returns when the lease expires, which distinguishes this attempt from a later one.
   */
  lease(request: IdempotentRequest): string {
    const until = new Date(Date.now() + (request.leaseMs ?? defaultLeaseMs)).toISOString();
    this.insert(request, [null, null, null, until]);
    return until;
  }

  /** Stores the answer of the attempt that holds the lease. Without an answer, the key becomes free again. */
  async settle(request: IdempotentRequest, lease: string, answer?: Answer): Promise<void> {
    const { orgId, principal, key } = request;
    const attempt = [uuidIn(orgId), principal, key, lease];
    const ofAttempt = 'where org_id = $1 and principal = $2 and key = $3 and lease_until = $4';
    await (answer
      ? this.database.rows(
          orgId,
          `update idempotency_records set status = $5, headers = $6, body = $7, lease_until = null ${ofAttempt}`,
          [...attempt, answer.status, JSON.stringify(answer.headers), await this.stored(request, answer)],
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

  private async stored(request: IdempotentRequest, answer: Answer): Promise<Buffer> {
    const body = await bodyOf(answer);
    return request.secret ? this.keyring.seal(body, contextOf(request)) : Buffer.from(body, 'utf8');
  }

  /** The column keeps JSON as text, whose keys keep their order: written again, the value gives the same bytes. */
  private answerIn(row: Record<string, unknown>, request: IdempotentRequest): Answer {
    const stored = row.body as Buffer;
    const text = row.encrypted ? this.keyring.open(stored, contextOf(request)) : stored.toString('utf8');
    const value = JSON.parse(text) as SuccessEnvelope | ErrorEnvelope;
    const head = { status: row.status as number, headers: row.headers as Record<string, string> };
    return 'error' in value ? { ...head, code: value.error.code, value } : { ...head, value };
  }
}

const contextOf = ({ orgId, principal, key }: IdempotentRequest): string => `idempotency:${orgId}:${principal}:${key}`;
