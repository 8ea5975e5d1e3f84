import { Injectable } from '@nestjs/common';
import { invalidField } from '#errors';
import { RowImages, uuidIn } from '#persistence';
import { SystemDatabase } from '#system-database';
import { EventsService } from '../../platform/events/events.service.js';
import { Member } from '../../tenancy/members/member.entity.js';
import { memberUpdated } from '../../tenancy/members/members.events.js';
import { refuseLongName } from '../../tenancy/people/accounts.errors.js';
import type { SignedIn } from './session.js';

/** A person's name, and with it the name of their members, except where an organization calls them otherwise. */
@Injectable()
export class NameChanges {
  private readonly images: RowImages<Member>;

  constructor(
    private readonly database: SystemDatabase,
    private readonly events: EventsService,
  ) {
    this.images = new RowImages(database.dataSource, Member);
  }

  /** @throws validation_error for an empty name or a long one. */
  async change({ userId }: SignedIn, name: string): Promise<void> {
    if (!name) throw invalidField(['name'], 'Enter your name.');
    refuseLongName(name);
    const now = new Date().toISOString();
    await this.database.transaction(async () => {
      const [old] = await this.database.rows('select name from users where id = $1 for no key update', [
        uuidIn(userId),
      ]);
      await this.database.rows('update users set name = $2, updated_at = $3 where id = $1', [
        uuidIn(userId),
        name,
        now,
      ]);
      const rows = await this.database.rows(
        `update members set name = $2, version = version + 1, updated_at = $3
          where user_id = $1 and name = $4 and name <> $2 and status <> 'removed' returning ${this.images.columns}`,
        [uuidIn(userId), name, now, old?.name],
      );
      for (const { before, after } of this.images.read(rows))
        await this.events.recordAbove({ type: 'member', id: after.id }, memberUpdated, after, before);
    });
  }
}
