import type { NextFunction, Request, Response } from 'express';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { errors, type Interaction, type Payload, type Provider } from 'oidc-provider';
import { Outbound } from '#outbound';
import { Keyring } from '#secrets';
import { SystemDatabase } from '#system-database';
import type { Config } from '../../platform/config/app.config.js';
import { CONFIG } from '../../platform/config/app.config.js';
import { DatabasePulse } from '../../platform/health/database-pulse.js';
import type { OpenRoute } from '../../platform/http/open.js';
import { AuditService } from '../../platform/audit/audit.service.js';
import { ApplicationsElsewhere } from './applications-elsewhere.js';
import { type AskedApproval, askedBy } from './asked-approval.js';
import { authorizeQuery } from './authorize-query.js';
import { GrantsService } from './grants.service.js';
import { ClientsRepository } from './clients.repository.js';
import { endpoints, globalPrefix } from './endpoints.js';
import { GrantsRepository } from './grants.repository.js';
import { InteractionsRepository } from './interactions.repository.js';
import { createProvider } from './provider.js';
import { isMcpHost } from './resources.js';
import { SlidingWindowsRepository } from '../../platform/limits/sliding-windows.repository.js';
import { TokensRepository } from './tokens.repository.js';

const served = new Set<string>(Object.values(endpoints));
/** Where an authorization continues after our pages. */
const resumed = /^\/oauth\/authorize\/[\w-]{1,64}$/;
const isAuthorization = (path: string): boolean => path === endpoints.authorization || resumed.test(path);

type Address = string | undefined;

type Answer = (request: Request, response: Response) => Promise<void>;

/** What answers a request. */
interface Place {
  /** The path without the prefix. */
  path: string;
  /** The prefix of what is served in the name of MCP_URL. */
  mount: string;
  answer: Answer;
}

/** The OAuth 2.1 authorization server: the only place that configures and calls the library. */
@Injectable()
export class AuthorizationServer {
  private readonly log = new Logger(AuthorizationServer.name);
  /** The issuer at BASE_URL. */
  private readonly provider: Provider;
  private readonly answer: Answer;
  /** The issuer at MCP_URL, if that is another address. It differs only in the `iss` of its responses. */
  private readonly answerGlobally?: Answer;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    keyring: Keyring,
    outbound: Outbound,
    private readonly database: SystemDatabase,
    pulse: DatabasePulse,
    clients: ClientsRepository,
    elsewhere: ApplicationsElsewhere,
    private readonly interactions: InteractionsRepository,
    grants: GrantsRepository,
    tokens: TokensRepository,
    audit: AuditService,
    windows: SlidingWindowsRepository,
    grantsService: GrantsService,
  ) {
    const repositories = { pulse, clients, elsewhere, interactions, grants, tokens, audit, grantsService };
    const environment = { config, keyring, outbound, database, windows, repositories, log: this.log };
    const { baseUrl, mcpUrl } = config;
    this.provider = createProvider(baseUrl, environment);
    this.answer = this.provider.callback();
    if (mcpUrl !== baseUrl) this.answerGlobally = createProvider(mcpUrl, environment).callback();
  }

  /** Undefined if `handle` does not answer the request. A token request starts with a look-up that has a deadline. */
  routeOf(request: Request): Pick<OpenRoute, 'needsDatabase'> | undefined {
    const place = this.placeOf(request);
    return place && { needsDatabase: place.path !== endpoints.token };
  }

  /** Mounted before any body is read. Requests for other paths continue to the next handler. */
  readonly handle = async (request: Request, response: Response, next: NextFunction): Promise<void> => {
    const place = this.placeOf(request);
    if (!place) return next();
    // People sign in at BASE_URL, because the cookies of their session and of the authorization belong to it.
    const { baseUrl } = this.config;
    if (!place.mount && place.path === endpoints.authorization && request.host !== new URL(baseUrl).host) {
      const mount = isMcpHost(request, this.config) ? globalPrefix : '';
      return response.redirect(303, `${baseUrl}${mount}${place.path}?${queryOf(request)}`);
    }
    this.prepare(request, place);
    await place.answer(request, response);
  };

  private placeOf({ path: given }: Request): Place | undefined {
    const path = given.length > 1 ? given.replace(/\/$/, '') : given;
    const within = path.startsWith(`${globalPrefix}/`) ? path.slice(globalPrefix.length) : '';
    if (this.answerGlobally && isAuthorization(within))
      return { path: within, mount: globalPrefix, answer: this.answerGlobally };
    return served.has(path) || resumed.test(path) ? { path, mount: '', answer: this.answer } : undefined;
  }

  /** Undefined when this browser has no authorization in progress at this address. */
  async asked(request: Request, response: Response): Promise<AskedApproval | undefined> {
    return await this.askedIn(await this.provider.interactionDetails(request, response).catch(unlessNotFound));
  }

  /** The same by its id, in any browser: for showing, and never for deciding. */
  async askedAs(uid: string): Promise<AskedApproval | undefined> {
    return await this.askedIn(await this.provider.Interaction.find(uid));
  }

  private async askedIn(interaction: Interaction | undefined): Promise<AskedApproval | undefined> {
    if (!interaction) return undefined;
    const client = await this.provider.Client.find(interaction.params.client_id as string);
    return client && askedBy(interaction, client);
  }

  /**
   * @param give writes the approval and returns its id.
   * @returns the address for the browser to return to; undefined if the request was rejected earlier or its response was
   *   already returned.
   */
  approve(request: Request, response: Response, userId: string, give: () => Promise<string>): Promise<Address> {
    return this.decideOnce(request, response, 'login', async () => ({
      login: { accountId: userId, remember: false },
      consent: { grantId: await give() },
    }));
  }

  /**
   * @param note records the rejection.
   * @returns the address for the browser to return to; undefined if the request was approved earlier or its response was
   *   already returned.
   */
  refuse(request: Request, response: Response, note: () => Promise<void>): Promise<Address> {
    return this.decideOnce(request, response, 'error', async () => {
      await note();
      return { error: 'access_denied', error_description: 'The person did not approve the application.' };
    });
  }

  /** The first decision counts, with everything that it writes. Repeated clicks lead to the same place as the first. */
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

  /** Addresses come from the configuration and never from the request. Only people get pages. */
  private prepare(request: Request, { path, mount }: Place): void {
    const { host, protocol } = new URL(this.config.baseUrl);
    const query = queryOf(request);
    const search = (path === endpoints.authorization ? authorizeQuery(query, this.config) : query).toString();
    request.url = search ? `${path}?${search}` : path;
    // The library derives its own mount path from this one, and a request may arrive in absolute form (RFC 9112,
    // 3.2.2).
    request.originalUrl = mount + request.url;
    request.headers['x-forwarded-host'] = host;
    request.headers['x-forwarded-proto'] = protocol.slice(0, -1);
    if (!isAuthorization(path)) request.headers.accept = 'application/json';
  }
}

const queryOf = ({ url }: Request): URLSearchParams => new URLSearchParams(url.split('?').slice(1).join('?'));

function unlessNotFound(error: unknown): undefined {
  if (!(error instanceof errors.SessionNotFound)) throw error;
}
