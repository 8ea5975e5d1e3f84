import { Injectable } from '@nestjs/common';
import { type Lane, schedules } from '#jobs';
import { columns, MailSender, Sending, type Waiting } from './mail-sender.js';

const accountMail: Lane = { name: 'account-mail', concurrency: 1, drainMs: 25_000 };

const claimed = (which: string): string => `
  update mails set status = 'sending', attempts = attempts + 1, due_at = $1
   where id = (select id from mails where status = 'waiting' and due_at <= $1 and ${which} limit 1 for update skip locked)
   returning ${columns}, sender_org_id`;

/** Password resets, codes and notices: mail that people wait for, which must not wait for other mail. */
@Injectable()
export class AccountMailSender extends MailSender {
  constructor(sending: Sending) {
    super(sending, { name: 'account-mail', lane: accountMail, mails: 'sender_org_id is null' });
  }

  protected async claim(now: string): Promise<Waiting | undefined> {
    const [row] = await this.database.rows(claimed('sender_org_id is null order by due_at'), [now]);
    return row as Waiting | undefined;
  }
}

/** What organizations send: one mail of each in turn, invitations before letters to guests. */
@Injectable()
export class OrganizationMailSender extends MailSender {
  /** Whose mail was sent last; the next one is of the organization behind it. */
  private last = '00000000-0000-0000-0000-000000000000';

  constructor(sending: Sending) {
    super(sending, { name: 'mail', lane: schedules, mails: 'sender_org_id is not null' });
  }

  protected async claim(now: string): Promise<Waiting | undefined> {
    return (await this.next('>', now)) ?? (await this.next('<=', now));
  }

  private async next(compare: '>' | '<=', now: string): Promise<Waiting | undefined> {
    const inTurn = `sender_org_id ${compare} $2 order by sender_org_id, author is not null, due_at`;
    const [row] = await this.database.rows(claimed(inTurn), [now, this.last]);
    if (row) this.last = row.sender_org_id as string;
    return row as Waiting | undefined;
  }
}
