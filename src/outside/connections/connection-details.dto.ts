import { ListOf } from '#operations';

export class ConnectionsDetails {
  @ListOf({ id: 'connection' }, { description: 'Connections that use it.', max: 1_000 }) connectionIds: string[];
}
