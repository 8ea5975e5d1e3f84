import { Controller } from '@nestjs/common';
import type { Caller } from '#access';
import { Handles } from '#operations';
import type {
  CreateConnection,
  DisconnectConnection,
  ListConnections,
  ThisConnection,
  UpdateConnection,
} from './connection.dto.js';
import {
  createConnection,
  disconnectConnection,
  getConnection,
  listConnections,
  syncConnection,
  testConnection,
  updateConnection,
} from './connections.operations.js';
import { ConnectionsService } from './connections.service.js';

@Controller()
export class ConnectionsController {
  constructor(private readonly connections: ConnectionsService) {}

  @Handles(listConnections) list(caller: Caller, input: ListConnections) {
    return this.connections.list(caller, input);
  }

  @Handles(getConnection) get(caller: Caller, input: ThisConnection) {
    return this.connections.get(caller, input);
  }

  @Handles(createConnection) create(caller: Caller, input: CreateConnection) {
    return this.connections.create(caller, input);
  }

  @Handles(updateConnection) update(caller: Caller, input: UpdateConnection) {
    return this.connections.update(caller, input);
  }

  @Handles(testConnection) test(caller: Caller, input: ThisConnection) {
    return this.connections.test(caller, input);
  }

  @Handles(syncConnection) sync(caller: Caller, input: ThisConnection) {
    return this.connections.sync(caller, input);
  }

  @Handles(disconnectConnection) disconnect(caller: Caller, input: DisconnectConnection) {
    return this.connections.disconnect(caller, input);
  }
}
