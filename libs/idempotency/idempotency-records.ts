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
}

export type Claim =
  | { verdict: 'new' }
  | { verdict: 'in_flight' }
  | { verdict: 'mismatch' }
  | { verdict: 'replay'; answer: Answer; requestId: string };

const keptMs = 24 * 60 * 60 * 1_000;

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

  /** Undoes what the handler wrote, so that its refusal alone is kept. */
  async undo({ orgId }: IdempotentRequest): Promise<void> {
    await this.database.rows(orgId, 'rollback to savepoint handler', []);
  }

  /** The record commits with what the handler wrote. */
  record(request: IdempotentRequest, { status, headers, body }: Answer): void {
    const { orgId, principal, key, fingerprint, operation, requestId, secret } = request;
    const stored = secret ? this.keyring.seal(body, contextOf(request)) : Buffer.from(body, 'utf8');
    const now = Date.now();
    this.database.defer(
      orgId,
      `insert into idempotency_records
         (org_id, principal, key, operation, fingerprint, request_id, status, headers, body, encrypted, created_at, expires_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
      [
        uuidIn(orgId),
        principal,
        key,
        operation,
        fingerprint,
        requestId,
        status,
        JSON.stringify(headers),
        stored,
        secret,
        new Date(now).toISOString(),
        new Date(now + keptMs).toISOString(),
      ],
    );
  }
}

const contextOf = ({ orgId, principal, key }: IdempotentRequest): string => `idempotency:${orgId}:${principal}:${key}`;
