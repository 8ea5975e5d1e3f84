import { Column, Entity, PrimaryColumn } from 'typeorm';
import { idColumn, newId } from '#persistence';
import type { RevocationReason } from './api-key.dto.js';

/** A key's record; the key itself is never stored, only its hash. */
@Entity('api_keys')
export class ApiKey {
  @PrimaryColumn('uuid', { transformer: idColumn('org') }) orgId: string;
  @PrimaryColumn('uuid', { transformer: idColumn('key') }) id: string;
  @Column('text') name: string;
  @Column('uuid', { transformer: idColumn('member') }) memberId: string;
  @Column('bytea') hash: Buffer;
  @Column('text') prefix: string;
  @Column('text', { array: true }) scopes: string[];
  @Column('uuid', { array: true, nullable: true, transformer: idColumn('property') }) propertyIds: string[] | null;
  @Column('text', { array: true, nullable: true }) allowedAddresses: string[] | null;
  @Column('integer') ratePerMinute: number;
  @Column('timestamptz', { nullable: true }) expiresAt: string | null;
  @Column('timestamptz', { nullable: true }) revokedAt: string | null;
  @Column('text', { nullable: true }) revokedBecause: RevocationReason | null;
  @Column('timestamptz', { nullable: true }) lastUsedAt: string | null;
  @Column('text', { nullable: true }) lastUsedFrom: string | null;
  @Column('text', { nullable: true }) lastUsedAgent: string | null;
  /** Null if an operator created it. */
  @Column('uuid', { nullable: true, transformer: idColumn('member') }) createdBy: string | null;
  /** The approval through which it was created; a key that such a key creates has the same. */
  @Column('uuid', { nullable: true, transformer: idColumn('grant') }) applicationId: string | null;
  /** The key with which it was created. */
  @Column('uuid', { nullable: true, transformer: idColumn('key') }) madeWith: string | null;
  @Column('uuid', { nullable: true, transformer: idColumn('key') }) successorId: string | null;
  @Column('integer') version: number;
  @Column('timestamptz') createdAt: string;
  @Column('timestamptz') updatedAt: string;

  get status(): 'active' | 'expired' | 'revoked' {
    if (this.revokedAt) return 'revoked';
    return this.expiresAt && this.expiresAt <= new Date().toISOString() ? 'expired' : 'active';
  }
}

/** What is decided about a new key; the rest is what happens to it. */
type NewKey = Pick<
  ApiKey,
  | 'orgId'
  | 'name'
  | 'memberId'
  | 'hash'
  | 'prefix'
  | 'scopes'
  | 'propertyIds'
  | 'allowedAddresses'
  | 'ratePerMinute'
  | 'expiresAt'
  | 'createdBy'
  | 'applicationId'
  | 'madeWith'
>;

/** An active key that was never used. */
export function newKey(given: NewKey): ApiKey {
  const now = new Date().toISOString();
  return Object.assign(new ApiKey(), {
    ...given,
    id: newId('key'),
    revokedAt: null,
    revokedBecause: null,
    lastUsedAt: null,
    lastUsedFrom: null,
    lastUsedAgent: null,
    successorId: null,
    version: 1,
    createdAt: now,
    updatedAt: now,
  });
}
