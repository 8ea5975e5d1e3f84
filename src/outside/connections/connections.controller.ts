import { Controller } from '@nestjs/common';
import type { Caller } from '#access';
import { Handles } from '#operations';
import type {
  CreateConnection,
  DisconnectConnection,
  ListConnections,
  ThisConnection,
  UpdateConnection,
} from '../../connections/connection.dto.js';
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

  @Handles(listConnections) list(input: ListConnections, caller: Caller) {
    return this.connections.list(caller, input);
  }

  @Handles(getConnection) get(input: ThisConnection, caller: Caller) {
    return this.connections.get(caller, input);
  }

  @Handles(createConnection) create(input: CreateConnection, caller: Caller) {
    return this.connections.create(caller, input);
  }

  @Handles(updateConnection) update(input: UpdateConnection, caller: Caller) {
    return this.connections.update(caller, input);
  }

  @Handles(testConnection) test(input: ThisConnection, caller: Caller) {
    return this.connections.test(caller, input);
  }

  @Handles(syncConnection) sync(input: ThisConnection, caller: Caller) {
    return this.connections.sync(caller, input);
  }

  @Handles(disconnectConnection) disconnect(input: DisconnectConnection, caller: Caller) {
    return this.connections.disconnect(caller, input);
  }
}
