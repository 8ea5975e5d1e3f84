import { Injectable } from '@nestjs/common';
import { idPattern } from '#operations';
import { idColumn, type Row, uuidIn } from '#persistence';
import { SystemDatabase } from '#system-database';

/** Somebody that a rule can be about, as the form names them. */
export interface RuleSubject {
  /** What the form sends: the key, the application, or the application and one person. */
  value: string;
  label: string;
}

const ids = { key: idColumn('key'), user: idColumn('user') };

/** The API keys that work, and the applications that members approved, for everybody and for each person. */
@Injectable()
export class RuleSubjects {
  constructor(private readonly system: SystemDatabase) {}

  async of(orgId: string): Promise<RuleSubject[]> {
    const [org, now] = [uuidIn(orgId), new Date().toISOString()];
    const keys = await this.system.rows(
      `select id, name from api_keys
        where org_id = $1 and revoked_at is null and (expires_at is null or expires_at > $2) order by name, id limit 500`,
      [org, now],
    );
    const grants = await this.system.rows(
      `select g.client_id, g.client_name, g.user_id, u.name from oauth_grants g join users u on u.id = g.user_id
        where g.org_id = $1 and g.revoked_at is null order by g.client_name, g.client_id, u.name limit 500`,
      [org],
    );
    return labelled(keys, grants);
  }

  /** Those that rules are about, also if they no longer work, as `of` does not list them then. */
  async former(orgId: string, rules: readonly { who: string }[]): Promise<RuleSubject[]> {
    const org = uuidIn(orgId);
    const named = rules.map(({ who }) => who);
    const keys = await this.system.rows('select id, name from api_keys where org_id = $1 and id = any($2::uuid[])', [
      org,
      named.filter((who) => idPattern('key').test(who)).map(uuidIn),
    ]);
    const grants = await this.system.rows(
      `select g.client_id, g.client_name, g.user_id, u.name from oauth_grants g join users u on u.id = g.user_id
        where g.org_id = $1 and g.client_id = any($2) order by g.id`,
      [org, named],
    );
    return labelled(keys, grants).map(({ value, label }) => ({ value, label: `${label}, no longer valid` }));
  }
}

function labelled(keys: readonly Row[], grants: readonly Row[]): RuleSubject[] {
  const applications = new Map(grants.map((row) => [row.client_id as string, row.client_name as string]));
  return [
    ...[...applications].map(([value, name]) => ({ value, label: `${name} (application)` })),
    ...grants.map((row) => ({
      value: `${row.client_id as string} ${ids.user.from(row.user_id) as string}`,
      label: `${row.client_name as string}, for ${row.name as string} only`,
    })),
    ...keys.map((row) => ({ value: ids.key.from(row.id) as string, label: `${row.name as string} (API key)` })),
  ];
}
