import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Jobs, type Piece, schedules, type Work } from '#jobs';
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

const mostAttempts = 6;
/** The first retry comes after so long, each later one after twice the wait. */
const firstRetryMs = 30_000;
/** A mail that is still being sent after so long was on its way when its process ended. */
const abandonedMs = 10 * 60_000;

/** There is one queue of mail, not one piece a mail: what waits is sent one after the other. */
const everything = [{ id: 'waiting' }];

/**
 * Sends what waits, one after the other. A mail is marked before it is handed over, so that a process which ends in
 * between leaves its fate unknown rather than sending it twice; it is retried only where it surely was not sent.
 */
@Injectable()
export class MailSender implements Work, OnApplicationShutdown {
  readonly name = 'mail';
  readonly lane = schedules;
  readonly everyMs = 5_000;
  /** Something may be due: looks now, or once more if it is looking already. */
  readonly wake: () => void;
  private readonly log = new Logger(MailSender.name);
  private sending?: Promise<void>;

  constructor(
    private readonly database: SystemDatabase,
    private readonly keyring: Keyring,
    private readonly transport: MailTransport,
    jobs: Jobs,
  ) {
    this.wake = jobs.take(this);
  }

  onApplicationShutdown(): void {
    this.transport.close();
  }

  async due(now: string): Promise<Piece[]> {
    const due = await this.database.rows(
      `select 1 from mails where (status = 'waiting' and due_at <= $1) or (status = 'sending' and due_at <= $2) limit 1`,
      [now, abandonedBefore()],
    );
    return due.length > 0 ? everything : [];
  }

  /** Never twice at once in a process, whatever the queue hands out. */
  async perform(_: Piece, signal: AbortSignal): Promise<void> {
    this.sending ??= this.sendAll(signal).finally(() => (this.sending = undefined));
    await this.sending;
  }

  private async sendAll(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const mail = await this.claim();
      if (!mail) return;
      await this.send(mail);
    }
  }

  private async claim(): Promise<Waiting | undefined> {
    const now = Date.now();
    await this.database.rows(
      `update mails set status = 'unknown', body = null, settled_at = $1 where status = 'sending' and due_at <= $2`,
      [new Date(now).toISOString(), abandonedBefore()],
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

const abandonedBefore = (): string => new Date(Date.now() - abandonedMs).toISOString();
