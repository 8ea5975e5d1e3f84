import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { dueInTurns } from '#jobs';
import type { Page } from '#operations';
import { type Changed, Cursors, recordOf, Table, TenantDatabase, uuidIn, type Where } from '#persistence';
import { SystemDatabase } from '#system-database';
import type { ListDeviceCommands } from '../../../devices/commands/device-command.dto.js';
import { DeviceCommand, sentWithinMs } from './device-command.entity.js';

/** As long as answers are kept for idempotent retries. */
const keyKeptMs = 24 * 60 * 60_000;

const dueCommands = dueInTurns({ table: 'device_commands', since: 'due_at' });

/** A command that somebody has to look after. */
export interface DueCommand {
  orgId: string;
  id: string;
}

@Injectable()
export class DeviceCommandsRepository {
  private readonly table: Table<DeviceCommand>;

  constructor(
    private readonly database: TenantDatabase,
    private readonly system: SystemDatabase,
    cursors: Cursors,
  ) {
    this.table = new Table(database, DeviceCommand, cursors);
  }

  find(caller: Caller, commandId: string): Promise<DeviceCommand | undefined> {
    return this.table.findOne(caller.orgId, this.visibleTo(caller).and('id = ?', uuidIn(commandId)));
  }

  findAny(orgId: string, commandId: string): Promise<DeviceCommand | undefined> {
    return this.table.findOne(orgId, this.table.where(orgId).and('id = ?', uuidIn(commandId)));
  }

  list(caller: Caller, { deviceId, status, limit, cursor, sort }: ListDeviceCommands): Promise<Page<DeviceCommand>> {
    const where = this.visibleTo(caller)
      .when(deviceId && uuidIn(deviceId), 'device_id = ?')
      .when(status, 'status = ?');
    return this.table.page(caller.orgId, where, { limit, cursor, sort });
  }

  /** What an earlier try with the same Idempotency-Key began. A key past its time is new. */
  async begunBy({ orgId, credential, idempotencyKey }: Caller): Promise<DeviceCommand | undefined> {
    if (idempotencyKey === undefined) return undefined;
    const values = [
      uuidIn(orgId),
      credential.principal,
      idempotencyKey,
      new Date(Date.now() - keyKeptMs).toISOString(),
    ];
    this.database.defer(
      orgId,
      `update device_commands set principal = null, idempotency_key = null
        where org_id = $1 and principal = $2 and idempotency_key = $3 and created_at <= $4`,
      values,
    );
    const where = this.table
      .where(orgId)
      .and('principal = ?', credential.principal)
      .and('idempotency_key = ?', idempotencyKey);
    return await this.table.findOne(orgId, where);
  }

  insert(command: DeviceCommand): Promise<DeviceCommand> {
    return this.table.insert(command);
  }

  /**
   * Lets a queued command be sent where no other to the device is under way or came before it; the device is locked.
   * False where it has to wait, or somebody else has it.
   */
  async takeTurn({ orgId, id, deviceId, attempt }: DeviceCommand, now: string, dueAt: string): Promise<boolean> {
    const rows = await this.database.rows(
      orgId,
      `update device_commands set status = 'sent', sent_at = $5, due_at = $6, updated_at = $5
        where org_id = $1 and id = $2 and attempt = $4 and status = 'queued'
          and not exists (
            select 1 from device_commands other
             where other.org_id = $1 and other.device_id = $3 and other.id <> $2 and other.due_at is not null
               and (other.status = 'sent' or (other.status = 'queued' and other.id < $2 and other.due_at > $5)))
       returning id`,
      [uuidIn(orgId), uuidIn(id), uuidIn(deviceId), attempt, now, dueAt],
    );
    return rows.length > 0;
  }

  /** Whether this attempt still has a command that waits. */
  async isHeld({ orgId, id, attempt }: DeviceCommand): Promise<boolean> {
    const text = `select 1 from device_commands where org_id = $1 and id = $2 and attempt = $3 and status = 'queued'`;
    return (await this.database.rows(orgId, text, [uuidIn(orgId), uuidIn(id), attempt])).length > 0;
  }

  /** How many commands to a device are under way or wait. */
  async openAt(orgId: string, deviceId: string): Promise<number> {
    const text = `select count(*)::int as open from device_commands
      where org_id = $1 and device_id = $2 and due_at is not null`;
    const [row] = await this.database.rows(orgId, text, [uuidIn(orgId), uuidIn(deviceId)]);
    return row?.open as number;
  }

  /** Puts off when others may take commands over, of all organizations in one statement, where these attempts have them. */
  async renew(commands: readonly DeviceCommand[], dueAt: string): Promise<void> {
    await this.system.rows(
      `update device_commands command
          set due_at = case status when 'queued' then least($4, created_at + make_interval(secs => $5)) else $4 end
         from unnest($1::uuid[], $2::uuid[], $3::int[]) as held (org_id, id, attempt)
        where command.org_id = held.org_id and command.id = held.id and command.attempt = held.attempt
          and status in ('queued', 'sent')`,
      [
        commands.map(({ orgId }) => uuidIn(orgId)),
        commands.map(({ id }) => uuidIn(id)),
        commands.map(({ attempt }) => attempt),
        dueAt,
        sentWithinMs / 1_000,
      ],
    );
  }

  /** Writes to an open command, where this attempt still has it. */
  async write(command: DeviceCommand, changes: Partial<DeviceCommand>): Promise<Changed<DeviceCommand> | undefined> {
    const { orgId, id, attempt } = command;
    const where = this.table
      .where(orgId)
      .and('id = ?', uuidIn(id))
      .and('attempt = ?', attempt)
      .and(`status in ('queued', 'sent')`);
    const changed = await this.table.changeWhere(orgId, where, { ...changes, updatedAt: new Date().toISOString() });
    if (changed) Object.assign(command, changed.after);
    return changed;
  }

  /** What nobody looks after any more, in all organizations in turn. */
  async due(now: string): Promise<DueCommand[]> {
    return (await this.system.rows(dueCommands, [now])).map(recordOf('command'));
  }

  /** Takes it over: whoever had it may not write to it any more. Undefined where it is not due now. */
  async takeOver({ orgId, id }: DueCommand, now: string, dueAt: string): Promise<DeviceCommand | undefined> {
    const rows = await this.database.rows(
      orgId,
      `update device_commands set attempt = attempt + 1, due_at = $4
        where org_id = $1 and id = $2 and due_at <= $3 returning id`,
      [uuidIn(orgId), uuidIn(id), now, dueAt],
    );
    return rows.length > 0 ? await this.findAny(orgId, id) : undefined;
  }

  /** A credential that is limited to some properties sees what was told to devices there. */
  private visibleTo({ orgId, propertyIds }: Caller): Where {
    return this.table.where(orgId).when(propertyIds?.map(uuidIn), 'property_id = any(?::uuid[])');
  }
}
