import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { type Claim, type ClaimedTable, ClaimedTables } from '#jobs';
import type { Page } from '#operations';
import { type Changed, Cursors, Table, TenantDatabase, uuidIn, type Where } from '#persistence';
import type { ListDeviceCommands } from './device-command.dto.js';
import { DeviceCommand, sentWithinMs } from './device-command.entity.js';

/** As long as responses are stored for idempotent retries. */
const keyKeptMs = 24 * 60 * 60_000;

/** The claim of the process that handles the command. */
export const claimOf = ({ orgId, id, attempt }: DeviceCommand): Claim => ({ orgId, id, fence: attempt });

@Injectable()
export class DeviceCommandsRepository {
  /** The request claims its command; other processes take over from a process that died. */
  readonly claims: ClaimedTable;
  private readonly table: Table<DeviceCommand>;

  constructor(
    private readonly database: TenantDatabase,
    tables: ClaimedTables,
    cursors: Cursors,
  ) {
    this.table = new Table(database, DeviceCommand, cursors);
    const sentBy = `created_at + interval '${sentWithinMs} ms'`;
    this.claims = tables.of({
      work: 'device-commands',
      table: 'device_commands',
      prefix: 'command',
      due: 'due_at',
      fence: 'attempt',
      while: "status in ('queued', 'sent')",
      leaseMs: 6_000,
      // A waiting command is claimed only as long as it may be sent.
      renewal: {
        everyMs: 2_000,
        until: `case status when 'queued' then least($4::timestamptz, ${sentBy}) else $4 end`,
      },
    });
  }

  find(caller: Caller, commandId: string): Promise<DeviceCommand | undefined> {
    return this.table.findOne(caller.orgId, this.visibleTo(caller).and('id = ?', uuidIn(commandId)));
  }

  findAny(orgId: string, commandId: string): Promise<DeviceCommand | undefined> {
    return this.table.findOne(orgId, this.table.where(orgId).and('id = ?', uuidIn(commandId)));
  }

  list(caller: Caller, filters: ListDeviceCommands): Promise<Page<DeviceCommand>> {
    const { deviceId, status, from, to, ...request } = filters;
    const where = this.visibleTo(caller)
      .when(deviceId && uuidIn(deviceId), 'device_id = ?')
      .when(status, 'status = ?')
      .when(from, 'created_at >= ?::timestamptz')
      .when(to, 'created_at < ?::timestamptz');
    return this.table.page(caller.orgId, where, request);
  }

  /** The command of an earlier attempt with the same Idempotency-Key. An expired key counts as new. */
  async begunBy({ orgId, idempotency }: Caller): Promise<DeviceCommand | undefined> {
    if (!idempotency) return undefined;
    const { principal, key } = idempotency;
    const values = [uuidIn(orgId), principal, key, new Date(Date.now() - keyKeptMs).toISOString()];
    this.database.defer(
      orgId,
      `update device_commands set principal = null, idempotency_key = null
        where org_id = $1 and principal = $2 and idempotency_key = $3 and created_at <= $4`,
      values,
    );
    const where = this.table.where(orgId).and('principal = ?', principal).and('idempotency_key = ?', key);
    return await this.table.findOne(orgId, where);
  }

  insert(command: DeviceCommand): Promise<DeviceCommand> {
    return this.table.insert(command);
  }

  /**
   * Lets a queued command be sent if no other command to the device is in progress or came before it; the device is
   * locked. False if it has to wait, or another process has it.
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
  async isHeld(command: DeviceCommand): Promise<boolean> {
    return (await this.ofClaim(claimOf(command)))?.status === 'queued';
  }

  /** How many commands to a device are in progress or wait. */
  async openAt(orgId: string, deviceId: string): Promise<number> {
    const text = `select count(*)::int as open from device_commands
      where org_id = $1 and device_id = $2 and due_at is not null`;
    const [row] = await this.database.rows(orgId, text, [uuidIn(orgId), uuidIn(deviceId)]);
    return row?.open as number;
  }

  /** Writes to an open command, if this attempt still has it. */
  async write(command: DeviceCommand, changes: Partial<DeviceCommand>): Promise<Changed<DeviceCommand> | undefined> {
    const { orgId } = command;
    const where = this.claims.where(claimOf(command));
    const changed = await this.table.changeWhere(orgId, where, { ...changes, updatedAt: new Date().toISOString() });
    if (changed) Object.assign(command, changed.after);
    return changed;
  }

  /** The command, as long as it is open and the claim counts. */
  ofClaim(claim: Claim): Promise<DeviceCommand | undefined> {
    return this.table.findOne(claim.orgId, this.claims.where(claim));
  }

  /** A credential that is limited to some properties sees only commands to devices there. */
  private visibleTo({ orgId, propertyIds }: Caller): Where {
    return this.table.where(orgId).when(propertyIds?.map(uuidIn), 'property_id = any(?::uuid[])');
  }
}
