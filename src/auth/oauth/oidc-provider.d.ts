/** The part of oidc-provider (9.13.3, which has no types) that this folder uses. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  export type Payload = Record<string, unknown>;

  export interface Adapter {
    find(id: string): Promise<Payload | undefined>;
    upsert(id: string, payload: Payload, expiresIn?: number): Promise<void>;
    consume(id: string): Promise<void>;
    destroy(id: string): Promise<void>;
    revokeByGrantId(grantId: string): Promise<void>;
    findByUid(uid: string): Promise<Payload | undefined>;
    findByUserCode(code: string): Promise<Payload | undefined>;
  }

  export interface Token {
    jti: string;
    kind: string;
    grantId: string;
    clientId: string;
    accountId: string;
    scopes: Set<string>;
  }

  export interface Interaction {
    uid: string;
    iat: number;
    params: Record<string, string | undefined>;
    prompt: { name: string };
    returnTo: string;
    /** The decision, once there is one. */
    result?: Payload;
  }

  export interface Client {
    clientId: string;
    clientName: string;
    clientSecret?: string;
    redirectUris: string[];
    verified?: boolean;
    redirectUriAllowed(uri: string): boolean;
    responseModeAllowed(): boolean;
    compareClientSecret(secret: string): boolean;
    metadata(): Payload;
  }

  interface Model<T> {
    new (payload: Payload): T;
    prototype: T & { generateTokenId: (this: object) => string };
    find(id: string, options?: { ignoreExpiration?: boolean }): Promise<T | undefined>;
  }

  export interface OIDCContext {
    route: string;
    provider: Provider;
    params: Record<string, string | string[] | undefined>;
    client?: Client;
    session?: { accountId?: string };
    result?: { consent?: { grantId?: string } };
    entities: {
      RotatedRefreshToken?: Token;
      RefreshToken?: Token;
      AuthorizationCode?: Token;
      AccessToken?: Token;
      Grant?: Token;
      Client?: Client;
    };
  }

  /** Koa's context with the library's additions. */
  export interface Context {
    req: IncomingMessage;
    res: ServerResponse;
    method: string;
    path: string;
    status: number;
    body: unknown;
    type: string;
    respond: boolean;
    state: Record<string, unknown>;
    oidc: OIDCContext;
    set(name: string, value: string): void;
  }

  export type Middleware = (ctx: Context, next: () => Promise<void>) => Promise<void>;

  export type GrantHandler = (ctx: Context) => Promise<void>;

  export class Provider {
    constructor(issuer: string, configuration: Record<string, unknown>);
    static readonly ctx: Context | undefined;
    proxy: boolean;
    readonly AccessToken: Model<Token>;
    readonly AuthorizationCode: Model<Token>;
    readonly RefreshToken: Model<Token>;
    readonly Grant: Model<Token>;
    readonly Client: Model<Client>;
    readonly Interaction: Model<Interaction>;
    registerGrantType(name: string, handler: GrantHandler, params?: Set<string>, dupes?: Set<string>): void;
    use(middleware: Middleware): this;
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
    on(event: string, listener: (...args: never[]) => void): this;
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>;
    interactionResult(request: IncomingMessage, response: ServerResponse, result: Payload): Promise<string>;
  }

  export namespace errors {
    class OIDCProviderError extends Error {
      error: string;
      status: number;
    }
    class InvalidGrant extends OIDCProviderError {
      constructor(detail: string);
    }
    class InvalidTarget extends OIDCProviderError {
      constructor(description?: string);
    }
    class InvalidClientMetadata extends OIDCProviderError {
      constructor(description: string);
    }
    class SessionNotFound extends OIDCProviderError {
      constructor(description: string);
    }
  }

  export namespace interactionPolicy {
    class Check {
      constructor(reason: string, description: string, check: (ctx: Context) => boolean);
    }
    class Prompt {
      constructor(info: { name: string; requestable: boolean }, ...checks: Check[]);
    }
  }
}
