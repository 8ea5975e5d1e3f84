import { Foundation1700000000001 } from './1700000000001-foundation.js';
import { Accounts1700000000003 } from './1700000000003-accounts.js';

export const migrations = [Foundation1700000000001, Accounts1700000000003];
