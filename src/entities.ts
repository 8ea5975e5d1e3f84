import { ApiKey } from './auth/api-keys/api-key.entity.js';
import { Grant } from './auth/oauth/grant.entity.js';
import { Member } from './organizations/member.entity.js';
import { Organization } from './organizations/organization.entity.js';
import { Property } from './organizations/property.entity.js';
import { Role } from './organizations/role.entity.js';
import { Task } from './tasks/task.entity.js';
import { User } from './accounts/user.entity.js';

/** Every table's row class. */
export const entities = [ApiKey, Grant, Member, Organization, Property, Role, Task, User];
