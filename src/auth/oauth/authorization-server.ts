import type { NextFunction, Request, Response } from 'express';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { type Context, errors, type Interaction, type Payload, Provider } from 'oidc-provider';
import { sourceOf } from '#limits';
import { Outbound } from '#outbound';
import { Keyring } from '#secrets';
import { SystemDatabase } from '#system-database';
import type { Config } from '../../platform/config/app.config.js';
import { CONFIG } from '../../platform/config/app.config.js';
import { AuditService } from '../../platform/audit/audit.service.js';
import { ApplicationsElsewhere } from './applications-elsewhere.js';
import { authorizeQuery } from './authorize-query.js';
import { ApprovalsService } from './approvals.service.js';
import { ClientsRepository } from './clients.repository.js';
import { endpoints, globalPrefix } from './endpoints.js';
import { renderAuthorizationError } from './error-page.js';
import { GrantsRepository } from './grants.repository.js';
import { InteractionsRepository } from './interactions.repository.js';
import { createProvider } from './provider.js';
import { RegistrationLimit } from './registration-limit.js';
import { isMcpHost } from './resources.js';
import { SlidingWindowsRepository, type Window } from '../../platform/limits/sliding-windows.repository.js';
import { providerWithTransactions } from './token-exchange.js';
import { TokensRepository } from './tokens.repository.js';

const served = new Set<string>(Object.values(endpoints));
/** Where an authorization goes on after our pages. */
const resumed = /^\/oauth\/authorize\/[\w-]{1,64}$/;
const isAuthorization = (path: string): boolean => path === endpoints.authorization || resumed.test(path);

/** How often one address may make us fetch documents, and how often the document of one URL may be fetched. */
const fetches: Window = { limit: 20, windowMs: 60_000 };

/** What an application asks a person for. */
export interface AskedApproval {
  uid: string;
  clientId: string;
  clientName: string;
  verified: boolean;
  redirectUri: string;
  /** Permissions and, where it was asked for, offline_access. */
  scopes: string[];
  /** When the application asked. */
  askedAt: string;
  /** Set where the application wants the person to sign in anew: since when. */
  signInAfter?: string;
}

type Address = string | undefined;

type Answer = (request: Request, response: Response) => Promise<void>;

/** The OAuth 2.1 authorization server: the library, set up and spoken to here alone. */
@Injectable()
export class AuthorizationServer {
  private readonly log = new Logger(AuthorizationServer.name);
  /** In the name of BASE_URL. */
  private readonly provider: Provider;
  private readonly answer: Answer;
  /** In the name of MCP_URL, where that is another address: the same but for the `iss` of its answers. */
  private readonly answerGlobally?: Answer;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    keyring: Keyring,
    outbound: Outbound,
    private readonly database: SystemDatabase,
    clients: ClientsRepository,
    elsewhere: ApplicationsElsewhere,
    private readonly interactions: InteractionsRepository,
    grants: GrantsRepository,
    tokens: TokensRepository,
    audit: AuditService,
    private readonly windows: SlidingWindowsRepository,
    approvals: ApprovalsService,
  ) {
    const Library = providerWithTransactions({ database, grants, audit, addresses: config });
    const surroundings = {
      config,
      keyring,
      outbound,
      repositories: { clients, elsewhere, interactions, grants, tokens, audit, approvals },
      mayFetch: ({ req }: Context, url: string) => this.mayFetch((req as Request).ip ?? '', url),
      renderError: renderAuthorizationError,
    };
    const limit = new RegistrationLimit(windows);
    const inTheNameOf = (issuer: string): Provider => createProvider(Library, issuer, surroundings, limit, this.log);
    const { baseUrl, mcpUrl } = config;
    this.provider = inTheNameOf(baseUrl);
    this.answer = this.provider.callback();
    if (mcpUrl !== baseUrl) this.answerGlobally = inTheNameOf(mcpUrl).callback();
  }

  /** Whether `handle` answers the request. */
  serves(request: Request): boolean {
    const { path, within } = placeOf(request);
    if (this.answerGlobally && within && isAuthorization(within)) return true;
    return served.has(path) || resumed.test(path);
  }

  /** Mounted before any body is read; whatever is not the authorization server's goes on. */
  readonly handle = async (request: Request, response: Response, next: NextFunction): Promise<void> => {
    const { path, within } = placeOf(request);
    if (this.answerGlobally && within && isAuthorization(within)) {
      this.prepare(request, within, globalPrefix);
      return await this.answerGlobally(request, response);
    }
    if (!served.has(path) && !resumed.test(path)) return next();
    // People sign in at BASE_URL, to which the cookies of their session and of the authorization belong.
    const { baseUrl } = this.config;
    if (path === endpoints.authorization && request.host !== new URL(baseUrl).host) {
      const mount = isMcpHost(request, this.config) ? globalPrefix : '';
      return response.redirect(303, `${baseUrl}${mount}${path}?${queryOf(request)}`);
    }
    this.prepare(request, path);
    await this.answer(request, response);
  };

  /** Undefined when no authorization is under way in this browser at this address. */
  async asked(request: Request, response: Response): Promise<AskedApproval | undefined> {
    const interaction = await this.provider.interactionDetails(request, response).catch(unlessNotFound);
    if (!interaction) return undefined;
    const client = await this.provider.Client.find(interaction.params.client_id as string);
    return client && askedBy(interaction, client);
  }

  /**
   * @param give writes the approval and answers its id.
   * @returns where the browser goes to bring the answer back; undefined where it was refused before, or brought back.
   */
  approve(request: Request, response: Response, userId: string, give: () => Promise<string>): Promise<Address> {
    return this.decideOnce(request, response, 'login', async () => ({
      login: { accountId: userId, remember: false },
      consent: { grantId: await give() },
    }));
  }

  /**
   * @param note records the refusal.
   * @returns where the browser goes to bring the answer back; undefined where it was approved before, or brought back.
   */
  refuse(request: Request, response: Response, note: () => Promise<void>): Promise<Address> {
    return this.decideOnce(request, response, 'error', async () => {
      await note();
      return { error: 'access_denied', error_description: 'The person did not approve the application.' };
    });
  }

  /** The first decision stands, with all that it writes; who clicks the same again goes where the first click went. */
  private decideOnce(
    request: Request,
    response: Response,
    kind: 'login' | 'error',
    decide: () => Promise<Payload>,
  ): Promise<Address> {
    return this.database.transaction(async () => {
      await this.interactions.lock(request.params.uid as string);
      const interaction = await this.provider.interactionDetails(request, response).catch(unlessNotFound);
      if (!interaction) return undefined;
      if (interaction.result) return kind in interaction.result ? interaction.returnTo : undefined;
      return await this.provider.interactionResult(request, response, await decide());
    });
  }

  /** Addresses come from the configuration and never from the request; only people are answered with pages. */
  private prepare(request: Request, path: string, mount = ''): void {
    const { host, protocol } = new URL(this.config.baseUrl);
    const query = queryOf(request);
    const search = (path === endpoints.authorization ? authorizeQuery(query, this.config) : query).toString();
    request.url = search ? `${path}?${search}` : path;
    // The library reads its own place out of this one; a request may have come in absolute form (RFC 9112, 3.2.2).
    request.originalUrl = mount + request.url;
    request.headers['x-forwarded-host'] = host;
    request.headers['x-forwarded-proto'] = protocol.slice(0, -1);
    if (!isAuthorization(path)) request.headers.accept = 'application/json';
  }

  private async mayFetch(ip: string, url: string): Promise<boolean> {
    const waitMs =
      (await this.windows.take(`documents from ${sourceOf(ip)}`, fetches)) ||
      (await this.windows.take(`documents of ${url}`, fetches));
    return waitMs === 0;
  }
}

/** @returns `within`: the path below the prefix of what is served in the name of MCP_URL. */
function placeOf({ path: given }: Request): { path: string; within: string | undefined } {
  const path = given.length > 1 ? given.replace(/\/$/, '') : given;
  return { path, within: path.startsWith(`${globalPrefix}/`) ? path.slice(globalPrefix.length) : undefined };
}

const queryOf = ({ url }: Request): URLSearchParams => new URLSearchParams(url.split('?').slice(1).join('?'));

function unlessNotFound(error: unknown): undefined {
  if (!(error instanceof errors.SessionNotFound)) throw error;
}

function askedBy({ uid, iat, params }: Interaction, client: NonNullable<Context['oidc']['client']>): AskedApproval {
  const askedAt = new Date(iat * 1_000).toISOString();
  const wantsSignIn = (params.prompt ?? '').split(' ').includes('login');
  return {
    uid,
    clientId: client.clientId,
    clientName: client.clientName,
    verified: client.verified === true,
    redirectUri: params.redirect_uri as string,
    scopes: (params.scope ?? '').split(' '),
    askedAt,
    ...(wantsSignIn && { signInAfter: askedAt }),
  };
}
