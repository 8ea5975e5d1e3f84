import { Injectable } from '@nestjs/common';
import { TenantDatabase, uuidIn } from '#persistence';

/** How much room the files of an organization take. */
@Injectable()
export class FilesRepository {
  constructor(private readonly database: TenantDatabase) {}

  addBytes(orgId: string, bytes: number): void {
    const text = `insert into attachment_totals (org_id, bytes) values ($1, $2)
      on conflict (org_id) do update set bytes = attachment_totals.bytes + excluded.bytes`;
    this.database.defer(orgId, text, [uuidIn(orgId), bytes]);
  }

  /** @param committed called when the file is surely forgotten. */
  forget(orgId: string, bytes: number, committed: () => void): void {
    this.addBytes(orgId, -bytes);
    this.database.afterCommit(committed);
  }
}
