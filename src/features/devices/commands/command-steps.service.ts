import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import type { ServiceError } from '#errors';
import { TenantDatabase } from '#persistence';
import { ConnectionAccounts } from '../../../outside/connections/connection-accounts.js';
import type { Account } from '../../../outside/connections/connection-provider.js';
import { EventsService } from '../../../platform/events/events.service.js';
import { OrganizationsRepository } from '../../../tenancy/organizations/organizations.repository.js';
import { StandingCallers } from '../../../tenancy/members/standing-callers.js';
import { refusalOf } from '../device-command.js';
import { DeviceReports } from '../device-reports.service.js';
import type { Device } from '../device.entity.js';
import { DevicesRepository } from '../devices.repository.js';
import type { DeviceReport } from '../providers/device-answers.js';
import { leftUnsent, refusedFor, type Settled } from './command-outcome.js';
import { actionOf, type DeviceCommand, isPast } from './device-command.entity.js';
import { mayNoLonger } from './device-commands.errors.js';
import { commandSettled } from './device-commands.events.js';
import { DeviceCommandsRepository } from './device-commands.repository.js';

/** Whom to ask about a device, by which name. */
export interface Contact {
  account: Account<object>;
  providerDeviceId: string;
}

/** The steps of a command, each in its own transaction, and none open while a provider is contacted. */
@Injectable()
export class CommandSteps {
  constructor(
    private readonly database: TenantDatabase,
    private readonly commands: DeviceCommandsRepository,
    private readonly devices: DevicesRepository,
    private readonly organizations: OrganizationsRepository,
    private readonly accounts: ConnectionAccounts,
    private readonly reports: DeviceReports,
    private readonly events: EventsService,
    private readonly callers: StandingCallers,
  ) {}

  /**
   * Lets a queued command be sent: as the only one to its device, within a minute, and only if it is still allowed.
   *
   * @returns `over` if it was rejected, or another process has it.
   */
  async takeTurn(caller: Caller, command: DeviceCommand): Promise<Contact | 'waits' | 'over'> {
    const { orgId, deviceId } = command;
    return await this.database.transaction(orgId, async () => {
      const device = (await this.devices.findAnyForChange(orgId, deviceId)) as Device;
      const organization = await this.organizations.get(orgId);
      const refusal = (await this.lossOf(caller, command)) ?? refusalOf(device, organization, actionOf(command));
      const account = await this.accounts.of(orgId, device.connectionId);
      if (refusal || !account || isPast(command)) {
        await this.end(command, refusal ? refusedFor(refusal) : leftUnsent(command));
        return 'over';
      }
      const sentAt = new Date().toISOString();
      if (!(await this.commands.takeTurn(command, sentAt, this.commands.claims.leaseEnd())))
        return (await this.commands.isHeld(command)) ? 'waits' : 'over';
      Object.assign(command, { status: 'sent', sentAt });
      return { account, providerDeviceId: device.providerDeviceId };
    });
  }

  /** The error if the caller lost a required permission while the command waited. */
  private async lossOf(caller: Caller, { propertyId }: DeviceCommand): Promise<ServiceError | undefined> {
    return (await this.callers.permitted(caller, 'devices:control', propertyId)) ? undefined : mayNoLonger();
  }

  /** Undefined if the connection has ended, so that the provider cannot be asked any more. */
  async contactOf({ orgId, deviceId }: DeviceCommand): Promise<Contact | undefined> {
    const device = (await this.devices.findAny(orgId, deviceId)) as Device;
    const account = await this.accounts.of(orgId, device.connectionId);
    return account && { account, providerDeviceId: device.providerDeviceId };
  }

  /** Renews the claim on an open command, and records what became known of it; false if another process has it. */
  async note(command: DeviceCommand, known: Pick<DeviceCommand, 'providerRef'>): Promise<boolean> {
    return await this.database.transaction(command.orgId, async () => {
      const changed = await this.commands.write(command, { ...known, dueAt: this.commands.claims.leaseEnd() });
      return changed !== undefined;
    });
  }

  /** Records the outcome with the device's report; does nothing if another process has the command. */
  async settle(command: DeviceCommand, settled: Settled, report?: DeviceReport): Promise<void> {
    const { orgId, deviceId } = command;
    await this.database.transaction(orgId, async () => {
      // The device first, as in takeTurn: everybody who locks does so in this order.
      const device = report && (await this.devices.findAnyForChange(orgId, deviceId));
      if (!(await this.end(command, settled))) return;
      if (device && report) await this.reports.take(device, report);
    });
  }

  private async end(command: DeviceCommand, settled: Settled): Promise<boolean> {
    const changed = await this.commands.write(command, {
      ...settled,
      dueAt: null,
      settledAt: new Date().toISOString(),
    });
    if (!changed) return false;
    this.events.record({ orgId: command.orgId }, commandSettled[settled.status], changed.after, changed.before);
    return true;
  }
}
