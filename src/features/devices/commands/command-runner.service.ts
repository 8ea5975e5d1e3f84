import { setTimeout as wait } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import type { Caller } from '#access';
import { DueTimer, Jobs, type Lane, type Work } from '#jobs';
import type { CommandAnswer, DeviceReport } from '../providers/device-answers.js';
import { leftUnsent, settledByInquiry, settledBySending, staysUnknown } from './command-outcome.js';
import { CommandSteps, type Contact } from './command-steps.service.js';
import { actionOf, type DeviceCommand, isOpen } from './device-command.entity.js';
import type { DueCommand } from './device-commands.repository.js';
import { ProviderCalls } from './provider-calls.js';

/** Apart from other work, because a provider that hangs takes its time. */
const devices: Lane = { name: 'devices', concurrency: 16, drainMs: 5_000 };
const renewEveryMs = 2_000;
const turnEveryMs = 50;
/** Where another process is at the device, the database is asked more and more rarely. */
const longestTurnMs = 1_000;
/** What a provider does not know the end of so long after it was sent stays unknown. */
const patienceMs = 2 * 60_000;
const longestRestMs = 10_000;

/**
 * Carries commands out, behind the requests that asked for them. A command is sent once, by the one that took its turn;
 * whoever comes after that, another process or this one after a crash, only inquires (design: never twice).
 */
@Injectable()
export class CommandRunner implements Work<DueCommand>, OnModuleInit, BeforeApplicationShutdown {
  readonly name = 'device-commands';
  readonly lane = devices;
  readonly everyMs = 1_000;

  private readonly log = new Logger(CommandRunner.name);
  private readonly ending = new AbortController();
  /** What this process looks after, by device. */
  private readonly held = new Map<string, Set<DeviceCommand>>();
  private readonly running = new Set<Promise<void>>();
  private readonly renewal = new DueTimer('held device commands', renewEveryMs, () => this.renew(), this.log);

  constructor(
    private readonly steps: CommandSteps,
    private readonly calls: ProviderCalls,
    jobs: Jobs,
  ) {
    jobs.take(this);
  }

  onModuleInit(): void {
    this.renewal.start();
  }

  /** What is under way is left to be taken over. */
  async beforeApplicationShutdown(): Promise<void> {
    this.ending.abort();
    await Promise.all(this.running);
    await this.renewal.stop();
  }

  /** Carries out a command that was just queued; resolves when it is settled, or left to be inquired about later. */
  start(command: DeviceCommand, caller: Caller): Promise<void> {
    return this.hold(command, () => this.send(command, caller));
  }

  /** While this process works on commands nobody takes them over, except those that have waited too long. */
  async renew(): Promise<void> {
    const held = [...this.held.values()].flatMap((ofDevice) => [...ofDevice]);
    if (held.length > 0) await this.steps.renew(held);
  }

  due(now: string): Promise<DueCommand[]> {
    return this.steps.due(now);
  }

  /** Takes over what nobody looks after: what was sent is inquired about; what was not sent never will be. */
  async perform(due: DueCommand): Promise<void> {
    const command = await this.steps.takeOver(due);
    if (!command) return;
    await this.hold(command, () =>
      command.status === 'queued' ? this.steps.settle(command, leftUnsent(command)) : this.inquire(command),
    );
  }

  private async send(command: DeviceCommand, caller: Caller): Promise<void> {
    const contact = await this.waitForTurn(command, caller);
    if (!contact) return;
    const { account, providerDeviceId } = contact;
    const order = { commandId: command.id, providerDeviceId, action: actionOf(command) };
    const answer = await this.calls.send(account, order, this.ending.signal);
    const settled = settledBySending(answer);
    const { providerRef = null, report } = toldBy(answer);
    if (settled) await this.steps.settle(command, { ...settled, providerRef }, report);
    else if (await this.steps.note(command, { providerRef })) await this.inquire(command);
  }

  /** Undefined where the command is not to be sent any more. */
  private async waitForTurn(command: DeviceCommand, caller: Caller): Promise<Contact | undefined> {
    let restMs = turnEveryMs;
    while (!this.ending.signal.aborted) {
      if (this.isNext(command)) {
        const turn = await this.steps.takeTurn(command, caller);
        if (turn !== 'waits') return turn === 'over' ? undefined : turn;
        restMs = Math.min(restMs * 2, longestTurnMs);
      }
      await wait(restMs);
    }
    return undefined;
  }

  /** Of many to a device that hangs one alone asks the database for its turn, so that they cost no more than one. */
  private isNext(command: DeviceCommand): boolean {
    const others = [...(this.held.get(command.deviceId) ?? [])].filter((other) => other !== command);
    return others.every(({ status, id }) => status === 'queued' && id > command.id);
  }

  private async inquire(command: DeviceCommand): Promise<void> {
    const { id: commandId, providerRef } = command;
    const sentAt = command.sentAt as string;
    const contact = await this.steps.contactOf(command);
    const answer =
      contact &&
      (await this.calls.inquire(
        contact.account,
        { commandId, providerDeviceId: contact.providerDeviceId, action: actionOf(command), providerRef, sentAt },
        this.ending.signal,
      ));
    if (this.ending.signal.aborted) return;
    const isLate = Date.now() > Date.parse(sentAt) + patienceMs;
    const settled = settledByInquiry(answer) ?? (isLate ? staysUnknown : undefined);
    if (settled) await this.steps.settle(command, settled, toldBy(answer).report);
  }

  /** While the work runs nobody takes the command over; where it leaves the command open, somebody inquires later. */
  private async hold(command: DeviceCommand, work: () => Promise<void>): Promise<void> {
    const ofDevice = this.held.get(command.deviceId) ?? new Set();
    this.held.set(command.deviceId, ofDevice.add(command));
    const running = work()
      .catch((err: unknown) => this.log.error({ err, commandId: command.id }, 'A command is left to be taken over'))
      .finally(() => ofDevice.delete(command) && ofDevice.size === 0 && this.held.delete(command.deviceId))
      .then(() => (isOpen(command) ? this.steps.leave(command, inquiredAt(command)) : undefined))
      // What fails here as well is taken over a little later.
      .catch(() => undefined);
    this.running.add(running);
    await running;
    this.running.delete(running);
  }
}

const toldBy = (answer: CommandAnswer | undefined): { providerRef?: string; report?: DeviceReport } =>
  answer && (answer.outcome === 'confirmed' || answer.outcome === 'accepted') ? answer : {};

/** The longer ago it was sent, the more rarely it is inquired about. */
function inquiredAt({ sentAt }: DeviceCommand): string {
  const now = Date.now();
  const ageMs = sentAt ? now - Date.parse(sentAt) : 0;
  return new Date(now + Math.min(ageMs / 4, longestRestMs)).toISOString();
}
