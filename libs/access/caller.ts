/** The identity under which a request or a workflow step is authenticated and counted. */
interface Presented {
  readonly id: string;
  /** What limits and idempotency keys are counted by: the key, the workflow, the person, or the pair of application and user. */
  readonly principal: string;
  /** Requests per minute (specification, Limits). */
  readonly ratePerMinute: number;
  /** The scopes that were chosen or granted, before live permissions apply. */
  readonly scopes: ReadonlySet<string>;
}

/** An API key, by its id. */
export interface ApiKeyCredential extends Presented {
  readonly kind: 'api-key';
  /** The approval through which the key was created. */
  readonly applicationId?: string;
  /** The addresses and ranges that the key works from; absent for anywhere. */
  readonly allowedAddresses?: readonly string[];
}

/** An access token, by the id of the approval behind it. */
export interface OAuthCredential extends Presented {
  readonly kind: 'oauth';
  /** The application that holds the token. */
  readonly clientId: string;
  readonly applicationId: string;
}

/** A step of a workflow, by the workflow's id. */
export interface WorkflowCredential extends Presented {
  readonly kind: 'workflow';
  /** The run that acts. */
  readonly runId: string;
}

/** A person signed in at the pages, by the session's id; counted by the person. */
export interface SessionCredential extends Presented {
  readonly kind: 'session';
}

/** An operator at the command line. */
export interface OperatorCredential {
  readonly kind: 'operator';
}

/** The service itself, where no person or program requested anything: its first start, and the data of connections. */
export interface ServiceCredential {
  readonly kind: 'service';
}

/** What a member acts through, in a request or a step. */
export type RequestCredential = ApiKeyCredential | OAuthCredential | WorkflowCredential | SessionCredential;
export type Credential = RequestCredential | OperatorCredential | ServiceCredential;

export type ApprovalMode = 'auto' | 'ask' | 'forbid';
/** What an application has to ask its person for. */
export type AskBefore = 'nothing' | 'destructive' | 'write';

/** A rule about what a credential may do without asking a person. */
export interface ApprovalRule {
  /** Whether it is about this key or application, and not about all of them. */
  readonly isOwn: boolean;
  /** An operation, an effect, `secrets` or `everything`. */
  readonly what: string;
  readonly mode: ApprovalMode;
}

/** What a person has to decide about first: the organization's rules, and what the person chose at consent. */
export interface ApprovalRules {
  readonly rules: readonly ApprovalRule[];
  readonly askBefore: AskBefore;
}

/** Who acts: in one organization, through one credential, whose `kind` says who that is. */
export interface Caller<Through extends Credential = Credential> {
  readonly orgId: string;
  /** The member; for operators and the service, the member that new records name. */
  readonly memberId: string;
  /** The person behind an OAuth token or a session; absent for machines. */
  readonly userId?: string;
  readonly credential: Through;
  /** What this request may do: the key's scopes, or granted scopes ∩ live permissions (specification, OAuth 2.1). */
  readonly permissions: ReadonlySet<string>;
  /** What the person's role permits now, whether or not it was granted to the token; absent for machines. */
  readonly livePermissions?: ReadonlySet<string>;
  /** The properties it may see, null for all. */
  readonly propertyIds: readonly string[] | null;
  /** Set if the organization requires a second factor that this person has not enrolled. */
  readonly secondFactorMissing: boolean;
  readonly requestId: string;
  /** The service's own id of the request; absent for work without a request. */
  readonly logId?: string;
  /** For a write with its own transactions: what identifies the work of an earlier attempt. */
  readonly idempotency?: { readonly principal: string; readonly key: string };
  /** What the organization's rules about approval are about; they are read before a write that they may concern. */
  readonly rulesAbout?: readonly string[];
  /** The approval by which a person let this request happen. */
  readonly approvalId?: string;
  /** The version in If-Match. */
  readonly expectedVersion?: number;
}

/** Who requests an operation: every kind of caller that the guards know. */
export type RequestCaller = Caller<RequestCredential>;

/** Whether a member acts, rather than an operator or the service. */
export const isMember = (caller: Caller): caller is RequestCaller =>
  caller.credential.kind !== 'operator' && caller.credential.kind !== 'service';

/** The approval behind a token, and behind a key that was created through one. */
export const approvalOf = (credential: RequestCredential): string | undefined =>
  credential.kind === 'oauth' || credential.kind === 'api-key' ? credential.applicationId : undefined;

export const may = (caller: Caller, permission: string): boolean => caller.permissions.has(permission);
