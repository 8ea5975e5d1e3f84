import { Column, Entity, PrimaryColumn } from 'typeorm';
import { idColumn } from '#persistence';
import type {
  ConnectionError,
  ConnectionKind,
  ConnectionStatus,
  ConnectionView,
  SyncCounts,
  SyncProgress,
} from './connection.dto.js';

/** Our settings and credential for another system. */
@Entity('connections')
export class Connection implements ConnectionView {
  @PrimaryColumn('uuid', { transformer: idColumn('org') }) orgId: string;
  @PrimaryColumn('uuid', { transformer: idColumn('connection') }) id: string;
  @Column('text') provider: string;
  @Column('text') kind: ConnectionKind;
  @Column('text') name: string;
  /** Credentials that are limited to some properties see only the connections of those properties. */
  @Column('uuid', { nullable: true, transformer: idColumn('property') }) propertyId: string | null;
  @Column('uuid', { transformer: idColumn('member') }) createdBy: string;
  /** Sealed for this row; null after a disconnect. */
  @Column('bytea', { nullable: true }) credentials: Buffer | null;
  @Column('jsonb') settings: Record<string, unknown>;
  @Column('text') status: ConnectionStatus;
  @Column('text', { nullable: true }) reason: string | null;
  @Column('timestamptz', { nullable: true }) lastSyncAt: string | null;
  @Column('jsonb', { nullable: true }) lastSync: SyncCounts | null;
  @Column('timestamptz', { nullable: true }) nextSyncAt: string | null;
  @Column('jsonb') errors: ConnectionError[];
  /** The number of syncs, and of failures since the last success. */
  @Column('integer') syncs: number;
  @Column('integer') failures: number;
  @Column('jsonb', { nullable: true }) currentSync: SyncProgress | null;
  /** Until when the sync in progress holds the connection. */
  @Column('timestamptz', { nullable: true }) syncLeaseUntil: string | null;
  /** How the source versions of what it saves by reference look, since its first one. */
  @Column('text', { nullable: true }) sourceVersions: 'number' | 'time' | null;
  @Column('integer') version: number;
  @Column('timestamptz') createdAt: string;
  @Column('timestamptz') updatedAt: string;
}
