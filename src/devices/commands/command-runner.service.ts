import { type BeforeApplicationShutdown, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { DueTimer } from '#jobs';
import type { CommandAnswer, DeviceReport } from '../providers/device-answers.js';
import { reached } from '../providers/reached.js';
import { neverSent, settledByInquiry, settledBySending, staysUnknown } from './command-outcome.js';
import { CommandSteps, type Contact } from './command-steps.service.js';
import { actionOf, type DeviceCommand, isOpen } from './device-command.entity.js';
import { ProviderCalls } from './provider-calls.js';

const sweepEveryMs = 1_000;
const atOnce = 32;
const renewEveryMs = 2_000;
const turnEveryMs = 50;
/** How long after an inquiry the next one follows; the first follows at once, and the last figure goes for all others. */
const inquireAfterMs = [0, 250, 500, 1_000, 2_000, 5_000];
/** What a provider does not know the end of so long after it was sent stays unknown. */
const patienceMs = 2 * 60_000;

/**
 * Carries commands out, behind the requests that asked for them. A command is sent once, by the one that took its turn;
 * whoever comes after that, another node or this one after a crash, only inquires (design: never twice).
 */
@Injectable()
export class CommandRunner implements OnModuleInit, BeforeApplicationShutdown {
  private readonly log = new Logger(CommandRunner.name);
  private readonly timer = new DueTimer('device commands', sweepEveryMs, () => this.runDue(), this.log);
  private readonly ending = new AbortController();
  private readonly running = new Set<Promise<void>>();

  constructor(
    private readonly steps: CommandSteps,
    private readonly calls: ProviderCalls,
  ) {}

  onModuleInit(): void {
    this.timer.start();
  }

  /** What is under way is left to be taken over. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.timer.stop();
    this.ending.abort();
    await Promise.all(this.running);
  }

  /** Carries out a command that was just queued; resolves when it is settled, or somebody else has it. */
  start(command: DeviceCommand): Promise<void> {
    return this.hold(command, () => this.perform(command));
  }

  /** Takes over what nobody looks after: what was sent is inquired about; what was not sent never will be. */
  async runDue(): Promise<void> {
    const room = atOnce - this.running.size;
    if (room <= 0) return;
    for (const command of await this.steps.takeDue(room)) {
      void this.hold(command, () =>
        command.status === 'queued' ? this.steps.settle(command, neverSent) : this.inquire(command),
      );
    }
  }

  private async perform(command: DeviceCommand): Promise<void> {
    const contact = await this.waitForTurn(command);
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
  private async waitForTurn(command: DeviceCommand): Promise<Contact | undefined> {
    for (;;) {
      const turn = await this.steps.takeTurn(command);
      if (turn !== 'waits') return turn === 'over' ? undefined : turn;
      if (!(await reached(Date.now() + turnEveryMs, this.ending.signal))) return undefined;
    }
  }

  private async inquire(command: DeviceCommand): Promise<void> {
    const { id: commandId, providerRef } = command;
    const sentAt = command.sentAt as string;
    for (let times = 0; ; times += 1) {
      const rest = inquireAfterMs[Math.min(times, inquireAfterMs.length - 1)] as number;
      if (!(await reached(Date.now() + rest, this.ending.signal))) return;
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
      if (settled) return await this.steps.settle(command, settled, toldBy(answer).report);
      if (!(await this.steps.note(command))) return;
    }
  }

  /** While the work runs nobody takes the command over; where it leaves the command open, somebody may at once. */
  private async hold(command: DeviceCommand, work: () => Promise<void>): Promise<void> {
    const renewal = setInterval(() => void this.steps.note(command).catch(() => undefined), renewEveryMs);
    const held = work()
      .catch((err: unknown) => this.log.error({ err, commandId: command.id }, 'A command is left to be taken over'))
      .then(() => (isOpen(command) ? this.steps.leave(command) : undefined))
      // What fails here as well is taken over a little later.
      .catch(() => undefined)
      .finally(() => clearInterval(renewal));
    this.running.add(held);
    await held;
    this.running.delete(held);
  }
}

const toldBy = (answer: CommandAnswer | undefined): { providerRef?: string; report?: DeviceReport } =>
  answer && (answer.outcome === 'confirmed' || answer.outcome === 'accepted') ? answer : {};
