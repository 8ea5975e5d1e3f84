import type { Request } from 'express';
import { Injectable } from '@nestjs/common';
import { newId, uuidIn } from '#persistence';
import { SystemDatabase } from '#system-database';

export type SignInOutcome = 'signed-in' | 'wrong-password' | 'wrong-factor';

/** A sign-in, or an attempt, as its owner sees it. */
export interface SignInView {
  readonly outcome: SignInOutcome;
  readonly ip: string;
  readonly userAgent: string;
  readonly createdAt: string;
}

const shown = 20;

/** The sign-ins of the last 90 days, so that people notice those of others. */
@Injectable()
export class SignInHistory {
  constructor(private readonly database: SystemDatabase) {}

  async note(request: Request, userId: string, outcome: SignInOutcome): Promise<void> {
    await this.database.rows(
      'insert into sign_ins (id, user_id, outcome, ip, user_agent, created_at) values ($1, $2, $3, $4, $5, $6)',
      [
        // Its own kind would need no prefix: nobody names one.
        uuidIn(newId('session')),
        uuidIn(userId),
        outcome,
        request.ip ?? '',
        (request.headers['user-agent'] ?? '').slice(0, 300),
        new Date().toISOString(),
      ],
    );
  }

  /** The latest ones first. */
  async list(userId: string): Promise<SignInView[]> {
    const rows = await this.database.rows(
      `select outcome, ip, user_agent as "userAgent", created_at as "createdAt" from sign_ins
        where user_id = $1 order by created_at desc limit ${shown}`,
      [uuidIn(userId)],
    );
    return rows as unknown as SignInView[];
  }
}
