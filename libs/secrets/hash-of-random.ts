import { createHash } from 'node:crypto';

/** The hash to store of a value that nobody can guess, such as a token with 256 random bits: a plain one is enough. */
export const hashOfRandom = (value: string): Buffer => createHash('sha256').update(value).digest();
