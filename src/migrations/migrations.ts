import { Foundation1700000000001 } from './1700000000001-foundation.js';

export const migrations = [Foundation1700000000001];
