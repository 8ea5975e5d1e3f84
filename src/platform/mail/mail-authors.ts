import { Injectable } from '@nestjs/common';

export interface Letter {
  to: string;
  /** The name of the sender; the service's own when left out. */
  fromName?: string;
  subject: string;
  text: string;
  html?: string;
  headers?: Record<string, string>;
}

/** The outcome of a queued letter: it waits for another attempt, or has ended. */
export type Fate = 'waiting' | 'sent' | 'failed' | 'unknown';

/**
 * Authors of letters that are written only when they are sent, so that no address waits in the queue. Each registers
 * itself and defines its own references.
 */
export abstract class MailAuthor {
  abstract readonly name: string;

  /** The letter, just before it is sent; undefined if it must not be sent any more. */
  abstract write(reference: string): Promise<Letter | undefined>;

  /** Called before the queue records the same, and again if the process ends in between. */
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
    if (!author) throw new Error(`No feature writes the letters of ${name}`);
    return author;
  }
}
