import { Injectable } from '@nestjs/common';
import type { Page } from '#operations';
import { Cursors, Table, TenantDatabase, uuidIn, violates } from '#persistence';
import type { ListMembers } from './member.dto.js';
import { Member } from './member.entity.js';
import { memberExists } from './members.errors.js';

@Injectable()
export class MembersRepository {
  private readonly table: Table<Member>;

  constructor(
    private readonly database: TenantDatabase,
    cursors: Cursors,
  ) {
    this.table = new Table(database, Member, cursors);
  }

  findMany(orgId: string, ids: readonly string[]): Promise<Member[]> {
    return this.table.find(orgId, this.table.where(orgId).and('id = any(?)', ids.map(uuidIn)));
  }

  async find(orgId: string, id: string): Promise<Member | undefined> {
    return (await this.findMany(orgId, [id]))[0];
  }

  /** The memberships of these people that are not removed. */
  findByUsers(orgId: string, userIds: readonly string[]): Promise<Member[]> {
    const where = this.table.where(orgId).and('user_id = any(?)', userIds.map(uuidIn));
    return this.table.find(orgId, where.and(`status <> 'removed'`));
  }

  async findByUser(orgId: string, userId: string): Promise<Member | undefined> {
    return (await this.findByUsers(orgId, [userId]))[0];
  }

  /** The member, locked until the transaction ends, so that changes apply to what was read. */
  findForChange(orgId: string, id: string): Promise<Member | undefined> {
    return this.table.findOne(orgId, this.table.where(orgId).and('id = ?', uuidIn(id)), 'for no key update');
  }

  list(orgId: string, { limit, cursor, sort, status, kind, roleId }: ListMembers): Promise<Page<Member>> {
    const where = this.table
      .where(orgId)
      .when(kind, 'kind = ?')
      .when(roleId && uuidIn(roleId), 'role_id = ?');
    if (status) where.and('status = ?', status);
    else where.and(`status <> 'removed'`);
    return this.table.page(orgId, where, { limit, cursor, sort });
  }

  /**
   * Whether the organization would have no active owner who sees all properties: a limited owner could not undo it.
   * Locks the owner role, so that of two owners who leave at the same time the second waits and sees that the first has
   * left.
   */
  async isLastOwner({ orgId, id, roleId, status }: Member): Promise<boolean> {
    if (status !== 'active' || !roleId) return false;
    const lockOwnerRole = `select 1 from roles where org_id = $1 and id = $2 and built_in = 'owner' for no key update`;
    const [isOwner] = await this.database.rows(orgId, lockOwnerRole, [uuidIn(orgId), uuidIn(roleId)]);
    const others = this.table
      .where(orgId)
      .and(`role_id = ? and status = 'active' and property_ids is null and id <> ?`, uuidIn(roleId), uuidIn(id));
    return isOwner !== undefined && !(await this.table.findOne(orgId, others, 'limit 1'));
  }

  /** @throws conflict_error when the person is a member already. */
  async insert(member: Member): Promise<Member> {
    try {
      return await this.table.insert(member);
    } catch (error) {
      if (isMemberTwice(error)) throw memberExists(member.email ?? member.name);
      throw error;
    }
  }

  update(member: Member, changes: Partial<Member>): Promise<Member> {
    return this.table.update(member, changes);
  }
}

/** One account, and one address, has one membership that is not removed. */
export const isMemberTwice = (error: unknown): boolean =>
  violates(error, 'members_user') || violates(error, 'members_email');
