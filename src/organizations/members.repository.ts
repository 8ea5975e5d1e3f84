import { Injectable } from '@nestjs/common';
import { Cursors, Table, TenantDatabase, uuidIn } from '#persistence';
import { Member } from './member.entity.js';

@Injectable()
export class MembersRepository {
  private readonly table: Table<Member>;

  constructor(database: TenantDatabase, cursors: Cursors) {
    this.table = new Table(database, Member, cursors);
  }

  findMany(orgId: string, ids: readonly string[]): Promise<Member[]> {
    return this.table.find(orgId, this.table.where(orgId).and('id = any(?)', ids.map(uuidIn)));
  }

  async find(orgId: string, id: string): Promise<Member | undefined> {
    return (await this.findMany(orgId, [id]))[0];
  }

  insert(member: Member): Promise<Member> {
    return this.table.insert(member);
  }
}
