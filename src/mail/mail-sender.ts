import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Keyring } from '#secrets';
import { SystemDatabase } from '#system-database';
import { MailTransport, type Outcome } from './mail-transport.js';

interface Waiting {
  id: string;
  recipient: string;
  subject: string;
  body: Buffer;
  attempts: number;
}

const lookEveryMs = 5_000;
const mostAttempts = 6;
/** The first retry comes after so long, each later one after twice the wait. */
const firstRetryMs = 30_000;
/** A mail that is still being sent after so long was on its way when its process ended. */
const abandonedMs = 10 * 60_000;

/**
 * Sends what waits, one after the other. A mail is marked before it is handed over, so that a process which ends in
 * between leaves its fate unknown rather than sending it twice; it is retried only where it surely was not sent.
 */
@Injectable()
export class MailSender implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(MailSender.name);
  private timer?: NodeJS.Timeout;
  private running?: Promise<void>;
  private again = false;
  private stopped = false;

  constructor(
    private readonly database: SystemDatabase,
    private readonly keyring: Keyring,
    private readonly transport: MailTransport,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => this.wake(), lookEveryMs);
    this.timer.unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearInterval(this.timer);
    await this.running;
    this.transport.close();
  }

  /** Something may be due: looks now, or once more if it is looking already. */
  wake(): void {
    if (this.stopped) return;
    this.again = true;
    this.running ??= this.sendAll().finally(() => (this.running = undefined));
  }

  private async sendAll(): Promise<void> {
    try {
      while (this.again && !this.stopped) {
        this.again = false;
        for (let mail = await this.claim(); mail && !this.stopped; mail = await this.claim()) await this.send(mail);
      }
    } catch (error) {
      this.log.warn({ err: error }, 'Mail could not be looked after just now; it is tried again');
    }
  }

  private async claim(): Promise<Waiting | undefined> {
    const now = Date.now();
    await this.database.rows(
      `update mails set status = 'unknown', body = null, settled_at = $1 where status = 'sending' and due_at <= $2`,
      [new Date(now).toISOString(), new Date(now - abandonedMs).toISOString()],
    );
    const [row] = await this.database.rows(
      `update mails set status = 'sending', attempts = attempts + 1, due_at = $1
        where id = (select id from mails where status = 'waiting' and due_at <= $1 order by due_at limit 1
                       for update skip locked)
        returning replace(id::text, '-', '') as id, recipient, subject, body, attempts`,
      [new Date(now).toISOString()],
    );
    return row as Waiting | undefined;
  }

  private async send({ id, recipient, subject, body, attempts }: Waiting): Promise<void> {
    const text = this.keyring.open(body, `mail ${id}`);
    const outcome = await this.transport.send({ id, to: recipient, subject, text });
    if (outcome.result !== 'sent') this.log.warn({ mail: id, attempts, ...outcome }, 'A mail was not sent');
    await this.settle(id, attempts, outcome);
  }

  private async settle(id: string, attempts: number, { result, error }: Outcome): Promise<void> {
    const now = Date.now();
    const retry = result === 'not-sent' && attempts < mostAttempts;
    if (retry) {
      const due = new Date(now + firstRetryMs * 2 ** (attempts - 1)).toISOString();
      await this.database.rows(`update mails set status = 'waiting', due_at = $2, last_error = $3 where id = $1`, [
        id,
        due,
        error ?? null,
      ]);
      return;
    }
    const status = result === 'not-sent' || result === 'refused' ? 'failed' : result;
    await this.database.rows(
      `update mails set status = $2, body = null, settled_at = $3, last_error = $4 where id = $1`,
      [id, status, new Date(now).toISOString(), error ?? null],
    );
  }
}
