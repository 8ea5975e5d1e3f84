import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import type { Page } from '#operations';
import { newId, TenantDatabase, violates } from '#persistence';
import { lookUntil, waitUntil } from '#turns';
import { EventsService } from '../../../platform/events/events.service.js';
import { OrganizationsRepository } from '../../../tenancy/organizations/organizations.repository.js';
import { refusalOf } from '../device-command.js';
import { DevicesService } from '../devices.service.js';
import type { DeviceAction } from '../providers/device-provider.js';
import { refusedFor } from './command-outcome.js';
import { CommandRunner } from './command-runner.service.js';
import type { ListDeviceCommands, ThisDeviceCommand } from './device-command.dto.js';
import { DeviceCommand, isOpen } from './device-command.entity.js';
import { commandNotFound, deviceIsBusy, errorOf, keyUsedForAnother } from './device-commands.errors.js';
import { commandRequested, commandSettled } from './device-commands.events.js';
import { DeviceCommandsRepository } from './device-commands.repository.js';

/** How long a request waits for the outcome before it returns an open command. */
const answerWithinMs = 10_000;
const lookEveryMs = 100;
/** Per device: further commands would mostly not be sent within their minute. */
const mostOpen = 20;

@Injectable()
export class DeviceCommandsService {
  constructor(
    private readonly database: TenantDatabase,
    private readonly commands: DeviceCommandsRepository,
    private readonly devices: DevicesService,
    private readonly organizations: OrganizationsRepository,
    private readonly runner: CommandRunner,
    private readonly events: EventsService,
  ) {}

  async get(caller: Caller, { commandId }: ThisDeviceCommand): Promise<DeviceCommand> {
    const command = await this.commands.find(caller, commandId);
    if (!command) throw commandNotFound();
    return command;
  }

  async list(caller: Caller, input: ListDeviceCommands): Promise<Page<DeviceCommand>> {
    return await this.commands.list(caller, input);
  }

  /**
   * Sends a command to a device, once: a retry with the same Idempotency-Key waits for the outcome of the earlier
   * attempt.
   *
   * @returns the command, succeeded or, after 10 seconds, still in progress.
   * @throws the reason for a rejection; provider_error if the provider rejected it, was unreachable, or the outcome is
   * unknown.
   */
  async request(caller: Caller, deviceId: string, action: DeviceAction): Promise<DeviceCommand> {
    const deadline = Date.now() + answerWithinMs;
    const { command, isNew } = await this.begin(caller, deviceId, action).catch(async (error: unknown) => {
      if (!violates(error, 'device_commands_by_key')) throw error;
      return await this.begin(caller, deviceId, action);
    });
    if (this.database.isRehearsing && isOpen(command)) return command;
    const settled = isNew ? await this.carriedOut(caller, command, deadline) : await this.watched(command, deadline);
    const error = errorOf(settled);
    if (error) throw error;
    return settled;
  }

  /** Stores every command, including rejected ones, unless too many wait; this commits before anything else happens. */
  private async begin(
    caller: Caller,
    deviceId: string,
    action: DeviceAction,
  ): Promise<{ command: DeviceCommand; isNew: boolean }> {
    const { orgId } = caller;
    return await this.database.transaction(orgId, async () => {
      const begun = await this.commands.begunBy(caller);
      if (begun) {
        if (!begun.isFor(deviceId, action)) throw keyUsedForAnother();
        return { command: begun, isNew: false };
      }
      const device = await this.devices.get(caller, { deviceId });
      const refusal = refusalOf(device, await this.organizations.get(orgId), action);
      if (!refusal && (await this.commands.openAt(orgId, deviceId)) >= mostOpen) throw deviceIsBusy(mostOpen);
      const command = queued(caller, device, action, this.commands.claims.leaseEnd());
      if (refusal) Object.assign(command, refusedFor(refusal), { dueAt: null, settledAt: command.createdAt });
      await this.commands.insert(command);
      this.events.record(caller, commandRequested, command);
      if (refusal) this.events.record({ orgId }, commandSettled.refused, command, command);
      return { command, isNew: true };
    });
  }

  private async carriedOut(caller: Caller, command: DeviceCommand, deadline: number): Promise<DeviceCommand> {
    if (!isOpen(command)) return command;
    await waitUntil(deadline, this.runner.start(caller, command));
    // Another process may have it by now.
    return await this.watched(command, deadline);
  }

  private watched({ orgId, id }: DeviceCommand, deadline: number): Promise<DeviceCommand> {
    const look = async () => (await this.commands.findAny(orgId, id)) as DeviceCommand;
    return lookUntil(deadline, lookEveryMs, look, (command) => !isOpen(command));
  }
}

function queued(
  caller: Caller,
  { id: deviceId, propertyId }: PlacedDevice,
  action: DeviceAction,
  dueAt: string,
): DeviceCommand {
  const { operation, ...args } = action;
  const now = new Date().toISOString();
  const { orgId, memberId, idempotency } = caller;
  return Object.assign(new DeviceCommand(), {
    orgId,
    id: newId('command'),
    deviceId,
    propertyId,
    operation,
    args,
    status: 'queued' as const,
    requestedBy: memberId,
    principal: idempotency?.principal ?? null,
    idempotencyKey: idempotency?.key ?? null,
    attempt: 1,
    dueAt,
    providerRef: null,
    error: null,
    sentAt: null,
    settledAt: null,
    createdAt: now,
    updatedAt: now,
  });
}

interface PlacedDevice {
  id: string;
  propertyId: string | null;
}
