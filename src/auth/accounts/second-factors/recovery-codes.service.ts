import { randomInt } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { uuidIn } from '#persistence';
import { Keyring } from '#secrets';
import { SystemDatabase } from '#system-database';

const codesAtOnce = 10;
const letters = 'abcdefghjkmnpqrstuvwxyz23456789';
/** 138 bits, so that a fast hash is enough. Earlier codes have three or four groups, and work until they are renewed. */
const groups = 7;
const groupLength = 4;

/** Codes to write down for the day when the second factor is lost. Each works once, and only their hashes are kept. */
@Injectable()
export class RecoveryCodesService {
  constructor(
    private readonly database: SystemDatabase,
    private readonly keyring: Keyring,
  ) {}

  /** Replaces any earlier set, in the caller's transaction. */
  async renew(userId: string): Promise<string[]> {
    const codes = Array.from({ length: codesAtOnce }, newCode);
    await this.remove(userId);
    await this.database.rows(
      'insert into recovery_codes (user_id, hash, created_at) select $1, unnest($2::bytea[]), $3',
      [uuidIn(userId), codes.map((code) => this.keyring.hash(contextOf(userId, code))), new Date().toISOString()],
    );
    return codes;
  }

  async use(userId: string, code: string): Promise<boolean> {
    const used = await this.database.rows(
      `update recovery_codes set used_at = $3 where user_id = $1 and hash = any($2) and used_at is null returning 1`,
      [uuidIn(userId), this.keyring.hashes(contextOf(userId, code)), new Date().toISOString()],
    );
    return used.length === 1;
  }

  async left(userId: string): Promise<number> {
    const [row] = await this.database.rows(
      'select count(*)::integer as left from recovery_codes where user_id = $1 and used_at is null',
      [uuidIn(userId)],
    );
    return row?.left as number;
  }

  async remove(userId: string): Promise<void> {
    await this.database.rows('delete from recovery_codes where user_id = $1', [uuidIn(userId)]);
  }
}

const newCode = (): string =>
  Array.from({ length: groups }, () =>
    Array.from({ length: groupLength }, () => letters.charAt(randomInt(letters.length))).join(''),
  ).join('-');

/** People type codes from a printed sheet, so hyphens, spaces and case do not matter. */
const contextOf = (userId: string, code: string): string =>
  `recovery ${userId} ${code.toLowerCase().replaceAll(/[^a-z0-9]/g, '')}`;
