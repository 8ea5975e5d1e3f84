import { Column, Entity, PrimaryColumn } from 'typeorm';
import { idColumn } from '#persistence';
import type { Region } from '#regions';
import type { Admission, OrganizationEventData } from './organization.dto.js';
import type { QuotaLimits } from '../quotas/quotas.js';

@Entity('organizations')
export class Organization implements OrganizationEventData {
  @PrimaryColumn('uuid', { transformer: idColumn('org') }) id: string;
  @Column('text') name: string;
  @Column('text') slug: string;
  @Column('text') region: Region;
  @Column('text') timezone: string;
  @Column('text') currency: string;
  @Column('text', { array: true }) locales: string[];
  @Column('boolean') requireTwoFactor: boolean;
  @Column('boolean') remoteControlEnabled: boolean;
  @Column('text') selfRegisteredApplications: Admission;
  @Column('text', { array: true }) allowedClientIds: string[];
  @Column('integer') modelCallsPerMinute: number;
  /** Null for no limit. */
  @Column('integer', { nullable: true }) maxKeyDays: number | null;
  /** Those that an operator chose, or that it was founded with; the others are the defaults of quotas.ts. */
  @Column('jsonb') quotaLimits: QuotaLimits;
  @Column('text') status: 'active' | 'suspended' | 'closed';
  @Column('integer') version: number;
  @Column('timestamptz') createdAt: string;
  @Column('timestamptz') updatedAt: string;
}
