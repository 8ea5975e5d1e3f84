import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import type { Page } from '#operations';
import { Cursors, Table, TenantDatabase, uuidIn, type Where } from '#persistence';
import type { ListMessages } from './message.dto.js';
import { Message } from './message.entity.js';

const sortable = { updatedAt: { asc: 'updated_at', desc: 'updated_at' } };

@Injectable()
export class MessagesRepository {
  private readonly table: Table<Message>;

  constructor(
    private readonly database: TenantDatabase,
    cursors: Cursors,
  ) {
    this.table = new Table(database, Message, cursors);
  }

  find(caller: Caller, messageId: string): Promise<Message | undefined> {
    return this.table.findOne(caller.orgId, this.visibleTo(caller).and('id = ?', uuidIn(messageId)));
  }

  findByKey(orgId: string, dedupeKey: string): Promise<Message | undefined> {
    return this.table.findOne(orgId, this.table.where(orgId).and('dedupe_key = ?', dedupeKey));
  }

  findForChange(orgId: string, messageId: string): Promise<Message | undefined> {
    return this.table.findOne(orgId, this.table.where(orgId).and('id = ?', uuidIn(messageId)), 'for no key update');
  }

  list(caller: Caller, filters: ListMessages): Promise<Page<Message>> {
    const { guestId, reservationId, templateId, status, updatedSince, limit, cursor, sort } = filters;
    const where = this.visibleTo(caller)
      .when(guestId && uuidIn(guestId), 'guest_id = ?')
      .when(reservationId && uuidIn(reservationId), 'reservation_id = ?')
      .when(templateId && uuidIn(templateId), 'template_id = ?')
      .when(status, 'status = ?')
      .since(updatedSince);
    return this.table.page(caller.orgId, where, { limit, cursor, sort }, sortable);
  }

  /** Inserts the message; false if its cause has already sent one. */
  insertOnce(message: Message): Promise<boolean> {
    return this.table.insertUnlessThere(message);
  }

  update(message: Message, changes: Partial<Message>): Promise<Message> {
    return this.table.update(message, changes);
  }

  keepContent({ orgId, id, guestId }: Message, sealed: Buffer): void {
    this.database.defer(
      orgId,
      'insert into message_contents (org_id, message_id, guest_id, sealed) values ($1, $2, $3, $4)',
      [uuidIn(orgId), uuidIn(id), guestId && uuidIn(guestId), sealed],
    );
  }

  /** The content of a message; undefined once it was sent or its guest was erased. */
  async content({ orgId, id }: Message): Promise<Buffer | undefined> {
    const text = 'select sealed from message_contents where org_id = $1 and message_id = $2';
    const [row] = await this.database.rows(orgId, text, [uuidIn(orgId), uuidIn(id)]);
    return row?.sealed as Buffer | undefined;
  }

  dropContent({ orgId, id }: Message): void {
    const text = 'delete from message_contents where org_id = $1 and message_id = $2';
    this.database.defer(orgId, text, [uuidIn(orgId), uuidIn(id)]);
  }

  /** A credential that is limited to some properties sees the messages about stays there. */
  private visibleTo({ orgId, propertyIds }: Caller): Where {
    return this.table.where(orgId).when(propertyIds?.map(uuidIn), 'property_id = any(?::uuid[])');
  }
}
