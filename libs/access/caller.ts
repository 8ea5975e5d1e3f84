/** The credential behind a request, as far as rules and records need it. */
export interface Credential {
  readonly kind: 'api-key' | 'oauth' | 'workflow';
  /** The key's id, the approval's, or the workflow's. */
  readonly id: string;
  /** What limits and idempotency keys are counted by: the key, or the pair of application and user. */
  readonly principal: string;
  /** Requests a clock minute (specification, Limits). */
  readonly ratePerMinute: number;
  /** The scopes that were chosen or granted, before live permissions are looked at. */
  readonly scopes: ReadonlySet<string>;
  /** The application that holds an OAuth token. */
  readonly clientId?: string;
  /** The approval behind the credential: of an OAuth token, and of a key that was created through one. */
  readonly applicationId?: string;
  /** The addresses and ranges that a key works from; absent for anywhere. */
  readonly allowedAddresses?: readonly string[];
  /** The run that acts, of a workflow. */
  readonly runId?: string;
}

/** Who asks: a member of one organization, through one credential. */
export interface Caller {
  readonly orgId: string;
  readonly memberId: string;
  /** The person behind an OAuth token; machines have none. */
  readonly userId?: string;
  readonly credential: Credential;
  /** What this request may do: the key's scopes, or granted scopes ∩ live permissions (specification, OAuth 2.1). */
  readonly permissions: ReadonlySet<string>;
  /** What the role of a person permits today, granted to the token or not; machines have none. */
  readonly livePermissions?: ReadonlySet<string>;
  /** The properties it may see, null for all. */
  readonly propertyIds: readonly string[] | null;
  /** Set where the organization demands a second factor that this person has not enrolled. */
  readonly secondFactorMissing: boolean;
  readonly requestId: string;
  /** The service's own id of the request; absent where no request is behind the work. */
  readonly logId?: string;
  /** Of a write that keeps transactions of its own: the Idempotency-Key, by which it finds what an earlier try began. */
  readonly idempotencyKey?: string;
  /** The version that If-Match named. */
  readonly expectedVersion?: number;
}

export const may = (caller: Caller, permission: string): boolean => caller.permissions.has(permission);
