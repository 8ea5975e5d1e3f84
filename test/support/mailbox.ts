import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/** The mail that a service without SMTP_URL wrote to its files. */
export class Mailbox {
  private readonly folder: string;

  constructor(dataDir: string) {
    this.folder = join(dataDir, 'mail');
  }

  /** Waits for the latest mail to an address whose subject matches. */
  async latest(to: string, subject: RegExp): Promise<string> {
    for (let tries = 0; tries < 200; tries += 1) {
      const mail = this.all(to).findLast((text) => subject.test(/^Subject: (.*)$/m.exec(text)?.[1] ?? ''));
      if (mail) return mail;
      await wait(25);
    }
    throw new Error(`No mail about ${subject} came for ${to}`);
  }

  /** The path of a mail's link. */
  async link(to: string, subject: RegExp): Promise<string> {
    const mail = await this.latest(to, subject);
    const link = /https?:\S+\?token=[\w-]+/.exec(mail.replaceAll('=\r\n', '').replaceAll('=3D', '='))?.[0];
    if (!link) throw new Error(`The mail has no link:\n${mail}`);
    const { pathname, search } = new URL(link);
    return pathname + search;
  }

  /** Ids sort by time, so the newest is last. */
  all(to: string): string[] {
    if (!existsSync(this.folder)) return [];
    return readdirSync(this.folder)
      .filter((name) => name.endsWith('.eml'))
      .sort()
      .map((name) => readFileSync(join(this.folder, name), 'utf8'))
      .filter((text) => text.includes(`To: ${to}`));
  }
}
