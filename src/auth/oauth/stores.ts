import { type Adapter, errors, type Payload, Provider } from 'oidc-provider';
import { type OAuthTokenKind, regionOfApplication } from '#regions';
import { hashOfRandom } from '#secrets';
import type { Request } from 'express';
import { type Trace, traceOf } from '../../platform/audit/act.js';
import { AuditService } from '../../platform/audit/audit.service.js';
import type { DatabasePulse } from '../../platform/health/database-pulse.js';
import type { ApplicationsElsewhere } from './applications-elsewhere.js';
import { exchangeIn, issue } from './exchange.js';
import type { GrantsService } from './grants.service.js';
import type { ClientRecord, ClientsRepository } from './clients.repository.js';
import type { Grant } from '../applications/grant.entity.js';
import type { GrantsRepository } from './grants.repository.js';
import type { InteractionsRepository } from './interactions.repository.js';
import { offlineAccess } from './scopes.js';
import type { NewToken, TokensRepository } from './tokens.repository.js';

export interface Repositories {
  pulse: DatabasePulse;
  clients: ClientsRepository;
  elsewhere: ApplicationsElsewhere;
  interactions: InteractionsRepository;
  grants: GrantsRepository;
  tokens: TokensRepository;
  audit: AuditService;
  grantsService: GrantsService;
}

/** Stores nothing: the console's session is the only one, and the features behind the other models are off. */
class NoStore implements Adapter {
  find(_id: string): Promise<Payload | undefined> {
    return Promise.resolve(undefined);
  }
  upsert(_id: string, _payload: Payload, _expiresIn?: number): Promise<void> {
    return Promise.resolve();
  }
  consume(_id: string): Promise<void> {
    return Promise.resolve();
  }
  destroy(_id: string): Promise<void> {
    return Promise.resolve();
  }
  revokeByGrantId(_grantId: string): Promise<void> {
    return Promise.resolve();
  }
  findByUid(_uid: string): Promise<Payload | undefined> {
    return Promise.resolve(undefined);
  }
  findByUserCode(_code: string): Promise<Payload | undefined> {
    return Promise.resolve(undefined);
  }
}

/** Applications that registered themselves; those created by operators are read-only here. */
class ClientStore extends NoStore {
  constructor(
    private readonly pulse: DatabasePulse,
    private readonly clients: ClientsRepository,
    private readonly elsewhere: ApplicationsElsewhere,
    private readonly audit: AuditService,
  ) {
    super();
  }

  override async find(id: string): Promise<Payload | undefined> {
    const record = (await this.findHere(id)) ?? (await this.elsewhere.adopt(id, currentRequest()?.ip ?? ''));
    if (!record) return undefined;
    const secret = record.secretHash && { client_secret: record.secretHash.toString('base64url') };
    return { ...record.metadata, ...(record.verified && { verified: true }), ...secret };
  }

  /** What a token request starts with. An id of another form belongs to nobody here, and would not be looked up. */
  private async findHere(id: string): Promise<ClientRecord | undefined> {
    if (regionOfApplication(id)) return await this.clients.find(id, this.pulse.withinMs);
    await this.pulse.expect();
    return undefined;
  }

  override async upsert(id: string, { client_secret: secret, ...metadata }: Payload): Promise<void> {
    const name = metadata.client_name as string;
    const secretHash = typeof secret === 'string' ? hashOfRandom(secret) : null;
    await this.clients.insert({ id, name, verified: false, metadata, secretHash });
    await this.audit.recordAbove({
      actor: { type: 'application', id },
      action: 'registerApplication',
      target: { type: 'application', id },
      details: { name, redirectUris: metadata.redirect_uris },
      ...currentTrace(),
    });
  }
}

class InteractionStore extends NoStore {
  constructor(private readonly interactions: InteractionsRepository) {
    super();
  }

  override find(uid: string): Promise<Payload | undefined> {
    return this.interactions.find(uid);
  }
  override upsert(uid: string, payload: Payload, expiresIn = 0): Promise<void> {
    return this.interactions.save(uid, payload, expiresIn);
  }
  /** The library destroys it before it issues a code, which only one of several parallel requests may receive. */
  override async destroy(uid: string): Promise<void> {
    if (!(await this.interactions.delete(uid)))
      throw new errors.SessionNotFound('This request was already answered. Go back to the application.');
  }
}

/** The consent page writes approvals. The library reads them, and ends them when a token is stolen or revoked. */
class GrantStore extends NoStore {
  constructor(
    private readonly grants: GrantsRepository,
    private readonly grantsService: GrantsService,
  ) {
    super();
  }

  override async find(id: string): Promise<Payload | undefined> {
    const grant = lockedGrant(id) ?? (await this.grants.findLive(id));
    return grant && grantPayload(grant);
  }

  override async destroy(id: string): Promise<void> {
    const isGivenBack = Provider.ctx?.oidc.route === 'revocation';
    await this.grantsService.end(id, isGivenBack ? 'revoked' : 'reuse', ({ clientId }) => ({
      action: isGivenBack ? 'revokeApplication' : 'detectTokenReuse',
      actor: { type: 'application', id: clientId },
      ...currentTrace(),
    }));
  }
}

/** The approval if this token request holds its lock: nobody else can have changed it since it was read. */
function lockedGrant(id: string): Grant | undefined {
  const grant = Provider.ctx && exchangeIn(Provider.ctx)?.lockedGrant;
  return grant?.id === id && grant.revokedAt === null ? grant : undefined;
}

const grantPayload = ({ id, userId, clientId, audience, scopes, offline, createdAt }: Grant): Payload => ({
  jti: id,
  kind: 'Grant',
  accountId: userId,
  clientId,
  iat: Math.floor(Date.parse(createdAt) / 1_000),
  resources: { [audience]: scopes.join(' ') },
  ...(offline && { openid: { scope: offlineAccess } }),
});

/** Codes and tokens. They do not end one by one, because the library also ends the approval and with it all of them. */
class TokenStore extends NoStore {
  constructor(
    private readonly kind: OAuthTokenKind,
    private readonly tokens: TokensRepository,
  ) {
    super();
  }

  override async find(value: string): Promise<Payload | undefined> {
    const stored = await this.tokens.find(this.kind, hashOfRandom(value));
    return stored && { ...stored.payload, jti: value, ...(stored.isSpent && { consumed: true }) };
  }

  override async upsert(value: string, { jti: _, ...payload }: Payload): Promise<void> {
    const rotated = this.kind === 'rt' ? Provider.ctx?.oidc.entities.RotatedRefreshToken : undefined;
    const token: NewToken = {
      hash: hashOfRandom(value),
      kind: this.kind,
      scope: (payload.scope as string | undefined) ?? '',
      payload,
      parent: rotated ? hashOfRandom(rotated.jti) : null,
      expiresAt: new Date((payload.exp as number) * 1_000).toISOString(),
    };
    const exchange = Provider.ctx && exchangeIn(Provider.ctx);
    if (exchange) exchange.issued.push(token);
    else await issue(this.tokens, payload.grantId as string, [token]);
  }

  override async consume(value: string): Promise<void> {
    if (!(await this.tokens.consume(this.kind, hashOfRandom(value)))) throw new errors.InvalidGrant('already used');
  }
}

/** The library requests one store per model. */
export function storesOn({
  pulse,
  clients,
  elsewhere,
  interactions,
  grants,
  tokens,
  audit,
  grantsService,
}: Repositories): (model: string) => Adapter {
  const stores: Record<string, Adapter> = {
    Client: new ClientStore(pulse, clients, elsewhere, audit),
    Interaction: new InteractionStore(interactions),
    Grant: new GrantStore(grants, grantsService),
    AccessToken: new TokenStore('at', tokens),
    RefreshToken: new TokenStore('rt', tokens),
    AuthorizationCode: new TokenStore('ac', tokens),
  };
  const nothing = new NoStore();
  return (model) => stores[model] ?? nothing;
}

/** The request that the library is handling, if there is one. */
const currentRequest = (): Request | undefined => Provider.ctx?.req as Request | undefined;

const currentTrace = (): Trace => traceOf(currentRequest()?.context);
