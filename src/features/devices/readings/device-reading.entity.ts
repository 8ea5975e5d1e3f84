import { Column, Entity, PrimaryColumn } from 'typeorm';
import { idColumn } from '#persistence';
import type { DeviceReadingView, DeviceState } from '../device.dto.js';

/** How a device was from one moment on, until the next reading. */
@Entity('device_readings')
export class DeviceReading implements DeviceReadingView {
  @PrimaryColumn('uuid', { transformer: idColumn('org') }) orgId: string;
  @PrimaryColumn('uuid', { transformer: idColumn('reading') }) id: string;
  @Column('uuid', { transformer: idColumn('device') }) deviceId: string;
  @Column('timestamptz') reportedAt: string;
  @Column('boolean') online: boolean;
  @Column('integer', { nullable: true }) batteryLevel: number | null;
  @Column('jsonb') state: DeviceState;
}
