import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { RequestCaller } from '#access';
import type { Operation, Page } from '#operations';
import type { SignedIn } from '../../auth/accounts/session.js';
import type { Approval } from '../../auth/approvals/approval.entity.js';
import type { AuditEntryView } from '../../platform/audit/audit-entry.dto.js';
import type { AuditVerification } from '../../platform/audit/audit-verification.service.js';
import type { Permission } from '../../platform/callers/permissions.js';
import type { EventView } from '../../platform/events/event.dto.js';
import type { ClosedChanges } from '../../platform/undo/undo.service.js';
import type { Fields } from '../../platform/pages/forms.service.js';
import type { Membership } from '../../tenancy/members/memberships.repository.js';

/** Asks an operation for what a page shows, as the person who looks at it. */
export type Ask = <In extends object, Out>(operation: Operation<In, Out>, input: NoInfer<In>) => Promise<Out>;

/** A rejected form: its errors and what was typed. */
export interface Refused {
  readonly operation: string;
  readonly message: string;
  /** Sentences by the names of the fields. */
  readonly problems: Readonly<Record<string, string>>;
  readonly typed: Fields;
  /** The stays in the way. */
  readonly stays: readonly NamedStay[];
}

export interface NamedStay {
  readonly id: string;
  readonly name: string;
}

/** The result of a form that is shown only once. */
export interface Made {
  readonly title: string;
  /** Null once the minute is over. */
  readonly secret: string | null;
}

/** What a page can show beside the answers of operations. */
export interface Beyond {
  /** The approvals that the person may decide, or could have. No operation lists them, because programs do not decide. */
  readonly approvals: (which: 'pending' | 'decided') => Promise<readonly Approval[]>;
  /** What they are about, by their ids. */
  readonly subjectsOfApprovals: (which: 'pending' | 'decided') => Promise<ReadonlyMap<string, string>>;
  /** The newest events that the person may read. No operation returns them, because programs follow the feed forward. */
  readonly newestEvents: (limit: number) => Promise<readonly EventView[]>;
  /** Which of those changes are undone, or can never be. No operation says it: an undo gives the reasons. */
  readonly closed: (entries: readonly AuditEntryView[]) => Promise<ClosedChanges>;
  /** Whether the newest seals of the audit trail fit. No operation says it, because operators verify the whole trail. */
  readonly verifyTrail: () => ReturnType<AuditVerification['newest']>;
  /** How much of the budget of model calls is used now. No operation says it: a refusal says when one is free. */
  readonly modelCallsUsed: () => Promise<number | undefined>;
  /** Whether another system keeps a reservation. No operation says it: only the refusal of a change does. */
  readonly isKeptElsewhere: (reservationId: string) => Promise<boolean>;
  /** What the catalogue says of an error that an operation, by its name, may end with. */
  readonly meaningOf: (operation: string, code: string) => string | undefined;
}

/** One look at a page: who looks, at which address, and what a form before it did. */
export interface Visit extends Beyond {
  readonly signedIn: SignedIn;
  readonly caller: RequestCaller;
  readonly membership: Membership;
  /** The person's organizations, this one among them. */
  readonly memberships: readonly Membership[];
  /** `/console/{slug}` */
  readonly base: string;
  /** The path of this page, without its filters. */
  readonly path: string;
  /** The same with its filters, where its forms go to and lead back to. */
  readonly here: string;
  /** The variable parts of the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly ask: Ask;
  /** A page of a list, by those of its filters that the address has; an empty one where they are wrong. */
  readonly list: <In extends object, Item>(
    operation: Operation<In, Page<Item>>,
    filters: readonly (keyof In & string)[],
    fixed?: Partial<In>,
  ) => Promise<Page<Item>>;
  /** Sentences about wrong filters, by their names, once the list was asked for. */
  readonly problems: Readonly<Record<string, string>>;
  readonly may: (permission: Permission) => boolean;
  readonly refused?: Refused;
  readonly made?: Made;
  readonly done?: string;
  /** The record to which that was done, where the page shows something about it. */
  readonly doneTo?: string;
}

export const VisitContext = createContext<Visit | undefined>(undefined);

/** The visit that a part of a page is drawn for. */
export const useVisit = (): Visit => useContext(VisitContext) as Visit;
