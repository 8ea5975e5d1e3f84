import { setTimeout as wait } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import type { Caller } from '#access';
import { type Claim, type ClaimedTable, type ClaimedWork, claiming, Jobs, type Lane } from '#jobs';
import type { CommandAnswer, DeviceReport } from '../providers/device-answers.js';
import { leftUnsent, settledByInquiry, settledBySending, staysUnknown } from './command-outcome.js';
import { CommandSteps, type Contact } from './command-steps.service.js';
import { actionOf, type DeviceCommand, isOpen } from './device-command.entity.js';
import { claimOf, DeviceCommandsRepository } from './device-commands.repository.js';
import { ProviderCalls } from './provider-calls.js';

/** A separate lane, because a hanging provider takes long. */
const devices: Lane = { name: 'devices', concurrency: 16, drainMs: 5_000 };
const turnEveryMs = 50;
/** While another process uses the device, the database is polled at growing intervals. */
const longestTurnMs = 1_000;
/** If the provider does not know the outcome this long after sending, it stays unknown. */
const unknownAfterMs = 2 * 60_000;
const longestRestMs = 10_000;

/**
 * Carries out commands in the background. A command is sent once, by the process that took its turn. Any later attempt,
 * by another process or by this one after a crash, only inquires: nothing is sent twice.
 */
@Injectable()
export class CommandRunner implements ClaimedWork, BeforeApplicationShutdown {
  readonly lane = devices;
  readonly claims: ClaimedTable;

  private readonly log = new Logger(CommandRunner.name);
  /** What this process looks after, by device. */
  private readonly tracked = new Map<string, Set<DeviceCommand>>();

  constructor(
    private readonly commands: DeviceCommandsRepository,
    private readonly steps: CommandSteps,
    private readonly calls: ProviderCalls,
    jobs: Jobs,
  ) {
    this.claims = commands.claims;
    jobs.take(claiming(this));
  }

  /** Other processes take over what is in progress. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.claims.end();
  }

  /** Carries out a command that was just queued; resolves when it is settled, or left to be inquired about later. */
  start(caller: Caller, command: DeviceCommand): Promise<void> {
    const claim = claimOf(command);
    return this.claims.hold(claim, (over) => this.track(command, claim, () => this.send(caller, command, over)));
  }

  /** Takes over abandoned commands: inquires about those that were sent; the others are never sent. */
  async perform(claim: Claim, over: AbortSignal): Promise<void> {
    const command = await this.commands.ofClaim(claim);
    if (!command) return;
    await this.track(command, claim, () =>
      command.status === 'queued' ? this.steps.settle(command, leftUnsent(command)) : this.inquire(command, over),
    );
  }

  private async send(caller: Caller, command: DeviceCommand, over: AbortSignal): Promise<void> {
    const contact = await this.waitForTurn(caller, command, over);
    if (!contact) return;
    const { account, providerDeviceId } = contact;
    const order = { commandId: command.id, providerDeviceId, action: actionOf(command) };
    const answer = await this.calls.send(account, order, over);
    const settled = settledBySending(answer);
    const { providerRef = null, report } = detailsOf(answer);
    if (settled) await this.steps.settle(command, { ...settled, providerRef }, report);
    else if (await this.steps.note(command, { providerRef })) await this.inquire(command, over);
  }

  /** Undefined if the command must not be sent any more. */
  private async waitForTurn(caller: Caller, command: DeviceCommand, over: AbortSignal): Promise<Contact | undefined> {
    let restMs = turnEveryMs;
    while (!over.aborted) {
      if (this.isNext(command)) {
        const turn = await this.steps.takeTurn(caller, command);
        if (turn !== 'waits') return turn === 'over' ? undefined : turn;
        restMs = Math.min(restMs * 2, longestTurnMs);
      }
      await wait(restMs);
    }
    return undefined;
  }

  /**
   * Of many commands to a hanging device, only one polls the database for its turn, so that they cost no more than one.
   */
  private isNext(command: DeviceCommand): boolean {
    const others = [...(this.tracked.get(command.deviceId) ?? [])].filter((other) => other !== command);
    return others.every(({ status, id }) => status === 'queued' && id > command.id);
  }

  private async inquire(command: DeviceCommand, over: AbortSignal): Promise<void> {
    const { id: commandId, providerRef } = command;
    const sentAt = command.sentAt as string;
    const contact = await this.steps.contactOf(command);
    const answer =
      contact &&
      (await this.calls.inquire(
        contact.account,
        { commandId, providerDeviceId: contact.providerDeviceId, action: actionOf(command), providerRef, sentAt },
        over,
      ));
    if (over.aborted) return;
    const isLate = Date.now() > Date.parse(sentAt) + unknownAfterMs;
    const settled = settledByInquiry(answer) ?? (isLate ? staysUnknown : undefined);
    if (settled) await this.steps.settle(command, settled, detailsOf(answer).report);
  }

  /** Does the work; if it leaves the command open, an inquiry follows later. */
  private async track(command: DeviceCommand, claim: Claim, work: () => Promise<void>): Promise<void> {
    const ofDevice = this.tracked.get(command.deviceId) ?? new Set();
    this.tracked.set(command.deviceId, ofDevice.add(command));
    try {
      await work();
    } catch (err) {
      this.log.error({ err, commandId: command.id }, 'Another process has to finish a command');
    }
    ofDevice.delete(command);
    if (ofDevice.size === 0) this.tracked.delete(command.deviceId);
    // What fails here as well is taken over a little later.
    if (!isOpen(command)) return;
    const at = inquiredAt(command);
    await this.claims.release(claim, at).catch(() => undefined);
    this.claims.becomesDue(at);
  }
}

const detailsOf = (answer: CommandAnswer | undefined): { providerRef?: string; report?: DeviceReport } =>
  answer && (answer.outcome === 'confirmed' || answer.outcome === 'accepted') ? answer : {};

/** The longer ago it was sent, the more rarely it is inquired about. */
function inquiredAt({ sentAt }: DeviceCommand): string {
  const now = Date.now();
  const ageMs = sentAt ? now - Date.parse(sentAt) : 0;
  return new Date(now + Math.min(ageMs / 4, longestRestMs)).toISOString();
}
