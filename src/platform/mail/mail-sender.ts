import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { doubling, inFuture, Jobs, type Lane, type DueJob, type Work } from '#jobs';
import { Keyring } from '#secrets';
import { SystemDatabase } from '#system-database';
import { type Config, CONFIG } from '../config/app.config.js';
import { type Letter, MailAuthors } from './mail-authors.js';
import { MailTransport, type Outcome } from './mail-transport.js';

export interface Waiting {
  id: string;
  attempts: number;
  /** For a mail whose text is stored. */
  recipient: string;
  subject: string;
  body: Buffer;
  /** For a mail that is written when it is sent. */
  author: string | null;
  reference: string;
}

export const columns = `replace(id::text, '-', '') as id, attempts, recipient, subject, body, author, reference`;

const mostAttempts = 6;
const restAfter = doubling(30_000, 10 * 60_000);
/** A mail that is still being sent after this time was lost with its process. */
const abandonedMs = 10 * 60_000;

/** There is one job for all mail, not one for each: waiting mail is sent one after the other. */
const everything = [{ id: 'waiting' }];

/** The dependencies of every sender. */
@Injectable()
export class Sending {
  constructor(
    @Inject(CONFIG) readonly config: Config,
    readonly database: SystemDatabase,
    readonly keyring: Keyring,
    readonly authors: MailAuthors,
    readonly jobs: Jobs,
  ) {}
}

interface Whose {
  name: string;
  lane: Lane;
  /** The mails that this sender sends, as SQL. */
  mails: string;
}

/**
 * Sends waiting mail one by one. A mail is marked before it is sent, so that a process that ends in between leaves its
 * outcome unknown and does not send it twice. It is retried only if it certainly was not sent.
 * `ClaimedTable` is for work that another process may take over.
 */
export abstract class MailSender implements Work, OnApplicationShutdown {
  readonly name: string;
  readonly lane: Lane;
  readonly soonest: string;
  protected readonly database: SystemDatabase;
  private readonly log = new Logger(MailSender.name);
  private readonly mails: string;
  private readonly keyring: Keyring;
  private readonly transport: MailTransport;
  private readonly authors: MailAuthors;
  private sending?: Promise<void>;

  protected constructor({ config, database, keyring, authors, jobs }: Sending, { name, lane, mails }: Whose) {
    this.name = name;
    this.lane = lane;
    this.mails = mails;
    this.database = database;
    this.keyring = keyring;
    // Each sender has its own connection to the mail server.
    this.transport = new MailTransport(config);
    this.authors = authors;
    this.soonest = `(
      select min(case status when 'waiting' then due_at else due_at + interval '${abandonedMs} ms' end)
        from mails where ${mails} and status in ('waiting', 'sending'))`;
    jobs.take(this);
  }

  /** Marks the next mail that is due as being sent. */
  protected abstract claim(now: string): Promise<Waiting | undefined>;

  onApplicationShutdown(): void {
    this.transport.close();
  }

  async due(now: string): Promise<DueJob[]> {
    const due = await this.database.rows(
      `select 1 from mails where ${this.mails} and
        ((status = 'waiting' and due_at <= $1) or (status = 'sending' and due_at <= $2)) limit 1`,
      [now, abandonedBefore()],
    );
    return due.length > 0 ? everything : [];
  }

  /** Never twice at the same time in a process, whatever the queue returns. */
  async perform(_: DueJob, signal: AbortSignal): Promise<void> {
    this.sending ??= this.sendAll(signal).finally(() => (this.sending = undefined));
    await this.sending;
  }

  private async sendAll(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.giveUp();
      const mail = await this.claim(new Date().toISOString());
      if (!mail) return;
      await this.send(mail);
    }
  }

  private async giveUp(): Promise<void> {
    const text = `select ${columns} from mails where ${this.mails} and status = 'sending' and due_at <= $1`;
    const abandoned = await this.database.rows(text, [abandonedBefore()]);
    for (const mail of abandoned as unknown as Waiting[]) await this.settle(mail, { result: 'unknown' });
  }

  private async send(mail: Waiting): Promise<void> {
    const { id, attempts } = mail;
    const outcome = await this.hand(mail);
    if (!outcome) return await this.note(id, 'failed', 'Its author no longer needs it to be sent');
    if (outcome.result !== 'sent') this.log.warn({ mail: id, attempts, ...outcome }, 'A mail was not sent');
    await this.settle(mail, outcome);
  }

  private async hand(mail: Waiting): Promise<Outcome | undefined> {
    try {
      const letter = await this.letterOf(mail);
      return letter && (await this.transport.send({ id: mail.id, ...letter }));
    } catch (error) {
      this.log.error({ err: error as Error, mail: mail.id }, 'An email could not be composed');
      return { result: 'not-sent', error: 'The email could not be composed' };
    }
  }

  private async letterOf({ id, recipient, subject, body, author, reference }: Waiting): Promise<Letter | undefined> {
    if (author !== null) return await this.authors.named(author).write(reference);
    return { to: recipient, subject, text: this.keyring.open(body, `mail ${id}`) };
  }

  private async settle({ id, attempts, author, reference }: Waiting, { result, error }: Outcome): Promise<void> {
    const isRetried = result === 'not-sent' && attempts < mostAttempts;
    const status = isRetried ? 'waiting' : result === 'not-sent' || result === 'refused' ? 'failed' : result;
    if (author !== null) await this.authors.named(author).settled(reference, status, error ?? null);
    if (status !== 'waiting') return await this.note(id, status, error);
    await this.database.rows(`update mails set status = 'waiting', due_at = $2, last_error = $3 where id = $1`, [
      id,
      inFuture(restAfter(attempts)),
      error ?? null,
    ]);
  }

  private async note(id: string, status: string, error?: string): Promise<void> {
    await this.database.rows(
      `update mails set status = $2, body = null, settled_at = $3, last_error = $4 where id = $1`,
      [id, status, new Date().toISOString(), error ?? null],
    );
  }
}

const abandonedBefore = (): string => new Date(Date.now() - abandonedMs).toISOString();
