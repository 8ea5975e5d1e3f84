import { Injectable } from '@nestjs/common';
import { conflict } from '#errors';
import { hashOfRandom } from '#secrets';
import { SystemDatabase } from '#system-database';
import { type Fields, submissionKey } from '../../platform/pages/forms.service.js';

/** The forms that were sent in the last day, except those of operations, which have idempotency keys. */
@Injectable()
export class SentForms {
  constructor(private readonly database: SystemDatabase) {}

  /**
   * Call this before work that must not happen twice: if a browser sends a form again, only the first one continues.
   *
   * @throws conflict_error FORM_SENT
   */
  async claim(fields: Fields): Promise<void> {
    const key = submissionKey(fields);
    if (key === undefined) return;
    const claimed = await this.database.rows(
      'insert into form_submissions (hash, created_at) values ($1, $2) on conflict do nothing returning 1',
      // The nonce is random, so the hash gives away nothing that was typed.
      [hashOfRandom(key), new Date().toISOString()],
    );
    if (claimed.length === 0) throw alreadySent();
  }
}

const alreadySent = () =>
  conflict(
    'FORM_SENT',
    'This form was already sent. Open the page again to see the result, or to send the form once more.',
  );
