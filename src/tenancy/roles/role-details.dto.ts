import { ListOf } from '#operations';

export class PermissionsDetails {
  @ListOf({ text: 100 }, { description: 'Permissions that you do not have.', max: 200 }) permissions: string[];
}
