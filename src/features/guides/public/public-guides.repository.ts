import { Injectable } from '@nestjs/common';
import { SystemDatabase } from '#system-database';
import type { PublicContent } from './public-content.js';

/** Finds the live page of an address before its organization is known. */
@Injectable()
export class PublicGuidesRepository {
  constructor(private readonly system: SystemDatabase) {}

  /** Undefined if no guide is live there, or its organization is not active. */
  async find(slug: string): Promise<PublicContent | undefined> {
    const [row] = await this.system.rows(
      `select p.content from published_guides p join organizations o on o.id = p.org_id
        where p.slug = $1 and o.status = 'active'`,
      [slug],
    );
    return row?.content as PublicContent | undefined;
  }
}
