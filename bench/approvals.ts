import { randomUUID } from 'node:crypto';
import type { Keyring } from '#secrets';
import { successorOf } from '../src/auth/oauth/refresh-lineage.js';
import { permissionNames } from '../src/platform/callers/permissions.js';

/** Queries the database that the servers of a run share. */
export type Query = (sql: string, values?: unknown[]) => Promise<Record<string, unknown>[]>;

/** The address that every server of a run uses, whatever its port, because access tokens are only for this address. */
export const mcpUrl = 'http://localhost';

/** What people of an organization approved: an application that acts for each of them. */
export interface Approvals {
  /** The form of a token request that exchanges a code; each is used once. */
  nextCode: () => URLSearchParams;
  /** The form of a token request that refreshes; each lineage continues from its last request. */
  nextRefresh: () => URLSearchParams;
  /** An access token of the next person. */
  nextAccessToken: () => string;
}

/**
 * So many that none comes near 50 requests in a second, and that a person's previous refresh has been answered long
 * before the next: a token may not be used before it exists.
 */
const people = 400;
/** Enough for a full run with another checkout. */
const codes = 80_000;

const clientId = `app_us_${'bench'.padEnd(22, '0')}`;
const redirectUri = 'http://localhost:33418/callback';
/** The pair of RFC 7636, appendix B. */
const [verifier, challenge] = [
  'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
  'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
];

/** Inserts the rows that registration, sign-in and consent would have left. Values are numbered from `first` on. */
export async function addApprovals(query: Query, keyring: Keyring, orgId: string): Promise<Approvals> {
  const [roleId, scope] = [randomUUID(), `offline_access ${permissionNames.join(' ')}`];
  const metadata = {
    client_id: clientId,
    client_name: 'Bench',
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    id_token_signed_response_alg: 'ES256',
  };
  await query(
    `insert into oauth_clients (id, name, verified, metadata, created_at) values ($1, 'Bench', true, $2, now())
     on conflict do nothing`,
    [clientId, JSON.stringify(metadata)],
  );
  await query(
    `insert into roles (org_id, id, name, permissions, version, created_at, updated_at)
     values ($1, $2, 'Bench', $3, 1, now(), now())`,
    [orgId, roleId, permissionNames],
  );
  const [{ taken } = {}] = await query('select count(*)::int as taken from oauth_grants');
  const first = taken as number;
  await query(
    `with person as materialized (select n, uuidv7() as id from generate_series($1::int, $2) n),
     new_users as (
       insert into users (id, email, name, created_at, updated_at)
       select id, 'person-' || n || '@bench.example', 'Person ' || n, now(), now() from person),
     new_members as (
       insert into members (org_id, id, kind, name, email, user_id, role_id, status, version, created_at, updated_at)
       select $3, id, 'user', 'Person ' || n, 'person-' || n || '@bench.example', id, $4, 'active', 1, now(), now()
         from person)
     insert into oauth_grants (org_id, id, client_id, client_name, verified, user_id, scopes, offline, audience, version,
                               created_at, updated_at)
     select $3, uuidv7(), $5, 'Bench', true, id, $6, true, $7, 1, now(), now() from person`,
    [first, first + people - 1, orgId, roleId, clientId, permissionNames, `${mcpUrl}/mcp`],
  );
  const firstCode = (first / people) * codes;
  await addTokens(query, orgId, 'at', first, people, { kind: 'AccessToken', scope: permissionNames.join(' ') });
  await addTokens(query, orgId, 'rt', first, people, { kind: 'RefreshToken', scope, iiat: now(), rotations: 0 });
  await addTokens(query, orgId, 'ac', firstCode, codes, {
    kind: 'AuthorizationCode',
    scope,
    redirectUri,
    codeChallenge: challenge,
    codeChallengeMethod: 'S256',
  });
  await query('vacuum (analyze) users, members, oauth_grants, oauth_tokens');
  const lineages = Array.from({ length: people }, (_, person) => valueOf('rt', first + person));
  let [code, refresh, access] = [0, 0, 0];
  return {
    nextCode: () => {
      if (code === codes) throw new Error('No authorization code is left');
      return new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: clientId,
        redirect_uri: redirectUri,
        code_verifier: verifier,
        code: valueOf('ac', firstCode + code++),
      });
    },
    nextRefresh: () => {
      const person = refresh++ % people;
      const token = lineages[person] as string;
      lineages[person] = successorOf(token, keyring, 'us');
      return new URLSearchParams({ grant_type: 'refresh_token', client_id: clientId, refresh_token: token });
    },
    nextAccessToken: () => valueOf('at', first + (access++ % people)),
  };
}

const now = (): number => Math.floor(Date.now() / 1_000);
const dayOfSeconds = 86_400;

const digits = 43;
const valueOf = (kind: string, number: number): string => `${kind}_us_${String(number).padStart(digits, '0')}`;

/** Tokens of one kind, given to the organization's approvals in turn; valid for a day, for a run on a busy machine. */
async function addTokens(
  query: Query,
  orgId: string,
  kind: string,
  first: number,
  count: number,
  payload: Record<string, unknown>,
): Promise<void> {
  const audience = `${mcpUrl}/mcp`;
  const common = {
    iat: now(),
    exp: now() + dayOfSeconds,
    authTime: now(),
    clientId,
    resource: audience,
    aud: audience,
  };
  await query(
    `with approval as materialized (
       select row_number() over () - 1 as turn, id, user_id from oauth_grants where org_id = $1)
     insert into oauth_tokens (hash, org_id, grant_id, kind, scope, audience, payload, expires_at)
     select sha256(convert_to($2 || '_us_' || lpad(n::text, ${digits}, '0'), 'UTF8')), $1, approval.id, $2, $5, $6,
            $7::jsonb || jsonb_build_object('grantId', 'grant_' || replace(approval.id::text, '-', ''),
                                            'accountId', 'user_' || replace(user_id::text, '-', '')),
            to_timestamp($8)
       from generate_series($3::int, $4) n join approval on turn = n % ${people}`,
    [
      orgId,
      kind,
      first,
      first + count - 1,
      payload.scope,
      audience,
      JSON.stringify({ ...common, gty: 'authorization_code', ...payload }),
      common.exp,
    ],
  );
}
