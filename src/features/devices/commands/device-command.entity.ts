import { isDeepStrictEqual } from 'node:util';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { idColumn } from '#persistence';
import type { DeviceOperation } from '../device.dto.js';
import type { DeviceAction } from '../providers/device-provider.js';
import type { CommandArgs, CommandStatus, DeviceCommandView, StoredError } from './device-command.dto.js';

@Entity('device_commands')
export class DeviceCommand implements DeviceCommandView {
  @PrimaryColumn('uuid', { transformer: idColumn('org') }) orgId: string;
  @PrimaryColumn('uuid', { transformer: idColumn('command') }) id: string;
  @Column('uuid', { transformer: idColumn('device') }) deviceId: string;
  @Column('uuid', { nullable: true, transformer: idColumn('property') }) propertyId: string | null;
  @Column('text') operation: DeviceOperation;
  @Column('jsonb') args: CommandArgs;
  @Column('text') status: CommandStatus;
  @Column('uuid', { transformer: idColumn('member') }) requestedBy: string;
  /** The Idempotency-Key of its request: a retry that finds the command creates no other. */
  @Column('text', { nullable: true }) principal: string | null;
  @Column('text', { nullable: true }) idempotencyKey: string | null;
  /** Increases when another process takes over; the holder of an earlier attempt may not write any more. */
  @Column('integer') attempt: number;
  /** While it is open: when another process may take over. */
  @Column('timestamptz', { nullable: true }) dueAt: string | null;
  @Column('text', { nullable: true }) providerRef: string | null;
  @Column('jsonb', { nullable: true }) error: StoredError | null;
  @Column('timestamptz', { nullable: true }) sentAt: string | null;
  @Column('timestamptz', { nullable: true }) settledAt: string | null;
  @Column('timestamptz') createdAt: string;
  @Column('timestamptz') updatedAt: string;

  isFor(deviceId: string, action: DeviceAction): boolean {
    return this.deviceId === deviceId && isDeepStrictEqual(actionOf(this), action);
  }
}

export const actionOf = ({ operation, args }: DeviceCommand): DeviceAction => ({ operation, ...args }) as DeviceAction;

/** Nobody waits longer at a door; opened later, it would let in anyone who passes. */
export const sentWithinMs = 60_000;

/** Whether it is too late for sending it. */
export const isPast = ({ createdAt }: Pick<DeviceCommandView, 'createdAt'>): boolean =>
  Date.now() >= Date.parse(createdAt) + sentWithinMs;

/** Whether its outcome is still open. */
export const isOpen = ({ status }: Pick<DeviceCommandView, 'status'>): boolean =>
  status === 'queued' || status === 'sent';
