import { createHash, randomBytes, randomInt } from 'node:crypto';
import type { Json } from './api.js';
import { Browser, type PageReply } from '../../faults/page-client.js';

interface At {
  url: string;
}

export interface Person {
  email: string;
  password: string;
}

export interface Client {
  client_id: string;
  client_secret?: string;
  redirectUri: string;
}

export interface Tokens {
  access_token: string;
  refresh_token?: string;
  expires_in: number;
  scope: string;
  token_type: string;
}

export interface Asked {
  scopes?: readonly string[];
  /** What the person selects at consent; nothing if omitted. */
  askBefore?: string;
  /** Further parameters of the authorization request; undefined removes one. */
  parameters?: Record<string, string | undefined>;
}

const defaultRedirectUri = 'http://localhost:33418/callback';

/** A deployment remembers those of the last run. */
let registered = process.env.TARGET_URL ? randomInt(1 << 22) : 0;

/** Each registration comes from an address of its own, so that tests do not share the hourly limit (TRUSTED_PROXIES=1). */
export async function registerClient({ url }: At, metadata: Record<string, unknown> = {}): Promise<Client> {
  registered += 1;
  const sent = { client_name: 'Test Assistant', redirect_uris: [defaultRedirectUri], ...metadata };
  const response = await fetch(`${url}/oauth/register`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-forwarded-for': `10.${(registered >> 16) & 255}.${(registered >> 8) & 255}.${registered & 255}`,
    },
    body: JSON.stringify(sent),
  });
  const body = (await response.json()) as Json;
  if (response.status !== 201) throw new Error(`Registration failed: ${JSON.stringify(body)}`);
  return { ...body, redirectUri: sent.redirect_uris[0] as string };
}

export interface Proof {
  verifier: string;
  challenge: string;
}

export function newProof(): Proof {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

export function authorizeUrl({ url }: At, client: Client, proof: Proof, { scopes, parameters }: Asked = {}): string {
  const query = {
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri: client.redirectUri,
    state: 'the-state',
    code_challenge: proof.challenge,
    code_challenge_method: 'S256',
    resource: `${url}/mcp`,
    scope: (scopes ?? ['tasks:read', 'tasks:write', 'offline_access']).join(' '),
    ...parameters,
  };
  const given = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return `${url}/oauth/authorize?${new URLSearchParams(given)}`;
}

/** A form post to one of the authorization server's endpoints. */
export async function post({ url }: At, path: string, fields: Record<string, string>, headers = {}): Promise<Reply> {
  const response = await fetch(url + path, { method: 'POST', body: new URLSearchParams(fields), headers });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text ? (JSON.parse(text) as Json) : undefined };
}

export interface Reply {
  status: number;
  headers: Headers;
  body: Json;
}

const credentialsOf = ({ client_id, client_secret }: Client): Record<string, string> => ({
  client_id,
  ...(client_secret && { client_secret }),
});

export const exchange = (at: At, client: Client, code: string, proof: Proof, fields = {}): Promise<Reply> =>
  post(at, '/oauth/token', {
    grant_type: 'authorization_code',
    code,
    code_verifier: proof.verifier,
    redirect_uri: client.redirectUri,
    ...credentialsOf(client),
    ...fields,
  });

export const refresh = (at: At, client: Client, refreshToken: string, fields = {}): Promise<Reply> =>
  post(at, '/oauth/token', {
    grant_type: 'refresh_token',
    refresh_token: refreshToken,
    ...credentialsOf(client),
    ...fields,
  });

export const revoke = (at: At, client: Client, token: string, fields = {}): Promise<Reply> =>
  post(at, '/oauth/revoke', { token, ...credentialsOf(client), ...fields });

/** Sends the main form of the page, which posts to the page's own URL. */
export const submit = (
  browser: Browser,
  page: PageReply,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<PageReply> => browser.submit(page, page.url.pathname, fields, headers);

/** Signs in if required and stops at the consent page. */
export async function openConsent(browser: Browser, person: Person, url: string): Promise<PageReply> {
  const page = await browser.get(url);
  if (!page.url.pathname.startsWith('/sign-in')) return page;
  return submit(browser, page, { email: person.email, password: person.password });
}

export const decide = (
  browser: Browser,
  page: PageReply,
  decision: string,
  organizationId?: string,
  askBefore?: string,
): Promise<PageReply> =>
  submit(browser, page, { decision, ...(organizationId && { organizationId }), ...(askBefore && { askBefore }) });

/** From the authorization request to the code, through the real pages. */
export async function codeFor(
  at: At,
  client: Client,
  proof: Proof,
  { orgId, ...asked }: Asked & Person & { orgId: string },
  browser = new Browser(at.url),
): Promise<string> {
  const page = await openConsent(browser, asked, authorizeUrl(at, client, proof, asked));
  const { url, html } = await decide(browser, page, 'authorize', orgId, asked.askBefore);
  const code = url.searchParams.get('code');
  if (!code) throw new Error(`No code came back: ${url.href}\n${html || page.html}`);
  return code;
}

/** Registers, signs in, consents and exchanges the code: an application's complete flow to its tokens. */
export async function authorize(
  at: At,
  asked: Asked & Person & { orgId: string; client?: Client },
): Promise<Tokens & { client: Client }> {
  const client = asked.client ?? (await registerClient(at));
  const proof = newProof();
  const { status, body } = await exchange(at, client, await codeFor(at, client, proof, asked), proof);
  if (status !== 200) throw new Error(`No tokens: ${JSON.stringify(body)}`);
  return { ...body, client };
}
