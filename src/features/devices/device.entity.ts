import { Column, Entity, PrimaryColumn } from 'typeorm';
import { idColumn } from '#persistence';
import type { ExternalRef } from '../../tenancy/references/external-ref.dto.js';
import type { DeviceCapabilities, DeviceLimits, DeviceState, DeviceType, DeviceView } from './device.dto.js';

@Entity('devices')
export class Device implements DeviceView {
  @PrimaryColumn('uuid', { transformer: idColumn('org') }) orgId: string;
  @PrimaryColumn('uuid', { transformer: idColumn('device') }) id: string;
  @Column('uuid', { transformer: idColumn('connection') }) connectionId: string;
  @Column('text') providerDeviceId: string;
  @Column('text') name: string;
  @Column('text') type: DeviceType;
  @Column('uuid', { nullable: true, transformer: idColumn('property') }) propertyId: string | null;
  @Column('uuid', { nullable: true, transformer: idColumn('unit') }) unitId: string | null;
  @Column('text', { nullable: true }) manufacturer: string | null;
  @Column('text', { nullable: true }) model: string | null;
  @Column('jsonb') capabilities: DeviceCapabilities;
  @Column('jsonb') limits: DeviceLimits;
  @Column('boolean') online: boolean;
  @Column('integer', { nullable: true }) batteryLevel: number | null;
  @Column('jsonb') state: DeviceState;
  @Column('timestamptz', { nullable: true }) stateReportedAt: string | null;
  @Column('boolean') remoteControlEnabled: boolean;
  @Column('jsonb') externalRefs: ExternalRef[];
  @Column('timestamptz', { nullable: true }) archivedAt: string | null;
  @Column('integer') version: number;
  @Column('timestamptz') createdAt: string;
  @Column('timestamptz') updatedAt: string;
}
