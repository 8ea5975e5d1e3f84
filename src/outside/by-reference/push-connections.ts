import { Injectable } from '@nestjs/common';
import { type Caller, may } from '#access';
import { connectionNotFound, connectionNotYours } from '../../tenancy/references/references.errors.js';
import type { Connection } from '../connections/connection.entity.js';
import { connectionIsOver } from '../connections/connections.errors.js';
import { ConnectionsRepository } from '../connections/connections.repository.js';
import { savesNothing, versionMissing, versionOfAnotherForm } from './by-reference.errors.js';
import { type PushSettings, pushProvider } from './push-settings.dto.js';
import { formOf, type SourceVersion } from './source-version.js';

/** Who may save and read by the references of a connection. */
@Injectable()
export class PushConnections {
  constructor(private readonly connections: ConnectionsRepository) {}

  /**
   * @param versions the versions of its saves; the first one decides the form of all.
   * @throws not_found_error, validation_error, permission_error or conflict_error.
   */
  async forSaving(
    caller: Caller,
    connectionId: string,
    versions: readonly (SourceVersion | undefined)[],
  ): Promise<Connection> {
    const first = versions.find((version) => version !== undefined);
    const connection = await this.connections.forSaving(
      caller,
      connectionId,
      first === undefined ? first : formOf(first),
    );
    if (!connection) throw connectionNotFound();
    if (connection.provider !== pushProvider) throw savesNothing();
    if (!isOwn(caller, connection)) throw connectionNotYours();
    if (connection.status === 'disconnected') throw connectionIsOver();
    return connection;
  }

  async forReading(caller: Caller, connectionId: string): Promise<Connection> {
    const connection = await this.connections.find(caller, connectionId);
    if (!connection) throw connectionNotFound();
    if (!isOwn(caller, connection) && !may(caller, 'connections:read')) throw connectionNotYours();
    return connection;
  }
}

function isOwn({ credential }: Caller, { settings }: Connection): boolean {
  const { credentialIds } = settings as PushSettings;
  return !credentialIds || ('id' in credential && credentialIds.includes(credential.id));
}

/** @throws validation_error for a save whose version is missing, or has another form than those before. */
export function refuseForm({ sourceVersions }: Connection, version: SourceVersion | undefined): void {
  if (!sourceVersions) return;
  if (version === undefined) throw versionMissing();
  if (formOf(version) !== sourceVersions) throw versionOfAnotherForm();
}
