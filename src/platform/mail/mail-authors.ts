import { Injectable } from '@nestjs/common';

export interface Letter {
  to: string;
  /** Whose name the letter comes under; the service's own when left out. */
  fromName?: string;
  subject: string;
  text: string;
  html?: string;
  headers?: Record<string, string>;
}

/** What became of a letter that was queued: it waits for another try, or this is its end. */
export type Fate = 'waiting' | 'sent' | 'failed' | 'unknown';

/**
 * Who has letters sent that are only written when they go out, so that no address waits in the queue. Each registers
 * itself; its references are its own matter.
 */
export abstract class MailAuthor {
  abstract readonly name: string;

  /** The letter, just before it is handed over; undefined where it is not to be sent any more. */
  abstract write(reference: string): Promise<Letter | undefined>;

  /** Told before the queue notes the same, and told again where the process ends in between. */
  abstract settled(reference: string, fate: Fate, reason: string | null): Promise<void>;
}

@Injectable()
export class MailAuthors {
  private readonly known = new Map<string, MailAuthor>();

  register(author: MailAuthor): void {
    this.known.set(author.name, author);
  }

  named(name: string): MailAuthor {
    const author = this.known.get(name);
    if (!author) throw new Error(`Nobody writes the letters of ${name}`);
    return author;
  }
}
