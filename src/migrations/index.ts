import { Foundation1700000000001 } from './1700000000001-foundation.js';
import { MembersAndSettings1700000000004 } from './1700000000004-members-and-settings.js';

export const migrations = [Foundation1700000000001, MembersAndSettings1700000000004];
