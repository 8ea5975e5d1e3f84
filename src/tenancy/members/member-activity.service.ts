import { Injectable } from '@nestjs/common';
import { type Caller, may } from '#access';
import type { Page } from '#operations';
import { idColumn, uuidIn } from '#persistence';
import { SystemDatabase } from '#system-database';
import type { ListMembers, MemberActivityView } from './member.dto.js';
import type { Member } from './member.entity.js';
import { MembersService } from './members.service.js';

const ids = idColumn('member');
const minuteMs = 60_000;

type Activity = Pick<MemberActivityView, 'lastActiveAt' | 'hasSecondFactor'>;

/**
 * The last activity of members in this organization, through keys, applications or the console, and whether people have
 * a second factor, which is shown only to callers who manage members. Factors and approvals are above the
 * organizations.
 */
@Injectable()
export class MemberActivity {
  constructor(
    private readonly members: MembersService,
    private readonly database: SystemDatabase,
  ) {}

  async list(caller: Caller, input: ListMembers): Promise<Page<MemberActivityView>> {
    const page = await this.members.list(caller, input);
    return { ...page, items: await this.with(caller, page.items) };
  }

  async get(caller: Caller, memberId: string): Promise<MemberActivityView> {
    const member = await this.members.get(caller, memberId);
    return (await this.with(caller, [member]))[0] as MemberActivityView;
  }

  /** A visit to the console, noted once a minute. */
  async note(orgId: string, memberId: string): Promise<void> {
    const now = Date.now();
    await this.database.rows(
      `update members set last_active_at = $3
        where org_id = $1 and id = $2 and (last_active_at is null or last_active_at < $4)`,
      [uuidIn(orgId), uuidIn(memberId), new Date(now).toISOString(), new Date(now - minuteMs).toISOString()],
    );
  }

  private async with(caller: Caller, members: readonly Member[]): Promise<MemberActivityView[]> {
    const rows = await this.database.rows(
      `select m.id, u.has_second_factor,
              greatest(m.last_active_at,
                       (select max(last_used_at) from api_keys k where k.org_id = m.org_id and k.member_id = m.id),
                       (select max(last_used_at) from oauth_grants g where g.org_id = m.org_id and g.user_id = m.user_id)
              ) as last_active_at
         from members m left join users u on u.id = m.user_id and m.status <> 'invited'
        where m.org_id = $1 and m.id = any($2)`,
      [uuidIn(caller.orgId), members.map(({ id }) => uuidIn(id))],
    );
    const known = new Map<string, Activity>(
      rows.map((row) => [
        ids.from(row.id) as string,
        {
          lastActiveAt: row.last_active_at as string | null,
          hasSecondFactor: may(caller, 'members:manage') ? (row.has_second_factor as boolean | null) : null,
        },
      ]),
    );
    return members.map((member) => ({ ...member, ...(known.get(member.id) as Activity) }));
  }
}
