import { hash, verify } from '@node-rs/argon2';

/** argon2id (the library's default algorithm), 19 MiB, two passes (OWASP password storage). */
const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export const hashPassword = (password: string): Promise<string> => hash(password, options);

export const verifyPassword = (hashed: string, password: string): Promise<boolean> => verify(hashed, password);
