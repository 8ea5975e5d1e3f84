import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { AskBefore } from '#access';
import { idColumn } from '#persistence';
import type { AuthenticationMethod } from '../../tenancy/people/authentication.js';

/** Why an approval ended. */
export type Ending = 'replaced' | 'revoked' | 'reuse' | 'unused' | 'password';

/** A person's approval of one application for one organization. Every token belongs to one. */
@Entity('oauth_grants')
export class Grant {
  @PrimaryColumn('uuid', { transformer: idColumn('org') }) orgId: string;
  @PrimaryColumn('uuid', { transformer: idColumn('grant') }) id: string;
  @Column('text') clientId: string;
  /** As shown when the person approved. */
  @Column('text') clientName: string;
  @Column('boolean') verified: boolean;
  @Column('uuid', { transformer: idColumn('user') }) userId: string;
  @Column('text', { array: true }) scopes: string[];
  /** Whether it may refresh (offline_access). */
  @Column('boolean') offline: boolean;
  @Column('text') audience: string;
  /** What it asks the person for first. */
  @Column('text') askBefore: AskBefore;
  /** When the person last proved their identity, and with what; null if that was not recorded yet. */
  @Column('timestamptz', { nullable: true }) authenticatedAt: string | null;
  @Column('text', { array: true, nullable: true }) authenticatedWith: AuthenticationMethod[] | null;
  @Column('timestamptz', { nullable: true }) lastUsedAt: string | null;
  @Column('text', { nullable: true }) lastUsedFrom: string | null;
  @Column('timestamptz', { nullable: true }) revokedAt: string | null;
  @Column('text', { nullable: true }) revokedBecause: Ending | null;
  @Column('integer') version: number;
  @Column('timestamptz') createdAt: string;
  @Column('timestamptz') updatedAt: string;
}
