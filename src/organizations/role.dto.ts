import { IntersectionType, PartialType } from '@nestjs/swagger';
import { Id, Int, ListOf, OneOf, Text, Timestamp } from '#operations';
import { PageOf } from '../../libs/operations/paging.js';
import { type BuiltInRole, builtInRoles, permissionNames } from './permissions.js';

export class CreateRole {
  @Text({ about: 'What the role is called; no two have the same name.', max: 100 })
  name: string;

  @ListOf(
    { oneOf: permissionNames },
    { about: 'What its members may do; never more than you may.', min: 1, max: permissionNames.length },
  )
  permissions: string[];
}

export class ThisRole {
  @Id('role', { about: 'The role.' }) roleId: string;
}

export class UpdateRole extends IntersectionType(ThisRole, PartialType(CreateRole, { skipNullProperties: false })) {}

export class ListRoles extends PageOf(['createdAt']) {}

export class RoleView {
  @Id('role', { about: 'The role.' }) id: string;
  @Text({ about: 'What the role is called.', max: 100 }) name: string;
  @OneOf(builtInRoles, { about: 'Which of the built-in roles it is; those cannot be changed.', nullable: true })
  builtIn: BuiltInRole | null;
  @ListOf({ text: 60 }, { about: 'What its members may do.', max: permissionNames.length }) permissions: string[];
  @Int({ about: 'Rises with every change; send it as If-Match.', min: 1, max: 2_147_483_647 }) version: number;
  @Timestamp({ about: 'When it was made.' }) createdAt: string;
  @Timestamp({ about: 'When it last changed.' }) updatedAt: string;
}
