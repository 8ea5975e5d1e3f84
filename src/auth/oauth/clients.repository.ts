import { Injectable } from '@nestjs/common';
import { regionOfApplication } from '#regions';
import { SystemDatabase } from '#system-database';

/** An application that may ask people for their approval. */
export interface ClientRecord {
  id: string;
  name: string;
  /** An operator created it; it did not register itself. */
  verified: boolean;
  /** RFC 7591, without the secret. */
  metadata: Record<string, unknown>;
  secretHash: Buffer | null;
}

/** Applications, above the organizations. A record never changes, so copies in other regions stay correct. */
@Injectable()
export class ClientsRepository {
  constructor(private readonly database: SystemDatabase) {}

  /**
   * An id that does not have our form belongs to nobody, and may contain characters that the database rejects.
   *
   * @throws service_unavailable after `withinMs`.
   */
  async find(id: string, withinMs?: number): Promise<ClientRecord | undefined> {
    if (!regionOfApplication(id)) return undefined;
    const [row] = await this.database.rows(
      'select id, name, verified, metadata, secret_hash as "secretHash" from oauth_clients where id = $1',
      [id],
      withinMs,
    );
    return row as ClientRecord | undefined;
  }

  /** Stores the copy of another region's application. An existing copy is identical. */
  async keep(record: ClientRecord): Promise<void> {
    await this.write(record, 'on conflict (id) do nothing');
  }

  async insert(record: ClientRecord): Promise<void> {
    await this.write(record, '');
  }

  private async write({ id, name, verified, metadata, secretHash }: ClientRecord, orElse: string): Promise<void> {
    await this.database.rows(
      `insert into oauth_clients (id, name, verified, metadata, secret_hash, created_at) values ($1, $2, $3, $4, $5, $6) ${orElse}`,
      [id, name, verified, JSON.stringify(metadata), secretHash, new Date().toISOString()],
    );
  }
}
