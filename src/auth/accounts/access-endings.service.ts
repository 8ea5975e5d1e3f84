import { Injectable } from '@nestjs/common';
import { idColumn, uuidIn } from '#persistence';
import { SystemDatabase } from '#system-database';
import type { ApiKey } from '../api-keys/api-key.entity.js';
import { ApplicationKeys } from '../api-keys/application-keys.service.js';
import { PersonKeys } from '../api-keys/person-keys.service.js';
import { revokeApplication } from '../applications/applications.operations.js';
import { GrantsService } from '../oauth/grants.service.js';
import { type ApprovedApplication, GrantsRepository } from '../oauth/grants.repository.js';
import type { Trace } from '../../platform/audit/act.js';
import { SessionsService } from './sessions.service.js';

/** A session, key or approval of a person in one of their organizations, with its display name there. */
export interface Named {
  readonly name: string;
  readonly organization: string;
}

/** The access that a password change ended. */
export interface EndedAccess {
  readonly sessions: number;
  readonly links: number;
  readonly applications: readonly Named[];
  /** API keys that applications had created. */
  readonly keys: readonly Named[];
  /** API keys that were created without an application, by the person or in their name. They keep working. */
  readonly keptKeys: readonly Named[];
}

/** The person whose access ends, and the request that ends it. */
export interface Ending {
  userId: string;
  trace: Trace;
  /** The session that changed the password. It stays signed in. */
  keptSessionId?: string;
}

/** Ends the access that was opened in a person's name, by the person or by somebody who knew their password. */
@Injectable()
export class AccessEndings {
  constructor(
    private readonly sessions: SessionsService,
    private readonly grants: GrantsRepository,
    private readonly grantsService: GrantsService,
    private readonly keys: ApplicationKeys,
    private readonly ownKeys: PersonKeys,
    private readonly database: SystemDatabase,
  ) {}

  /**
   * Runs in the caller's transaction, which has already written the person's row, so nothing can be opened in their
   * name while it runs.
   */
  async endAll({ userId, trace, keptSessionId }: Ending): Promise<Omit<EndedAccess, 'links'>> {
    const sessions = await this.sessions.endAll(userId, keptSessionId);
    // An approval is locked before its keys everywhere, which prevents deadlocks.
    await this.grants.lockLive(userId);
    const approved = await this.grants.listLive(userId);
    const act = { action: 'changePassword', actor: { type: 'user' as const, id: userId }, ...trace };
    // These are listed first, because ending the approvals would revoke them without listing their names.
    const revoked = await this.keys.revokeOfPerson(userId, act);
    for (const { id } of inOrderOfLocks(approved)) await this.grantsService.end(id, 'password', () => act);
    const [keys, keptKeys] = [await this.named(revoked), await this.ownKeys.list(userId)];
    return { sessions, applications: approved.map(nameOf), keys, keptKeys: keptKeys.map(namedAlone) };
  }

  /**
   * Ends some of the person's own approvals.
   *
   * @param chosen selects the approvals.
   * @returns the number that ended.
   */
  async endApprovals(
    userId: string,
    trace: Trace,
    chosen: (application: ApprovedApplication) => boolean,
  ): Promise<number> {
    const own = (await this.grants.listLive(userId)).filter(chosen);
    const act = { action: revokeApplication.name, actor: { type: 'user' as const, id: userId }, ...trace };
    for (const { id } of inOrderOfLocks(own)) await this.grantsService.end(id, 'revoked', () => act);
    return own.length;
  }

  private async named(keys: readonly ApiKey[]): Promise<Named[]> {
    const rows = await this.database.rows('select id, name from organizations where id = any($1)', [
      keys.map(({ orgId }) => uuidIn(orgId)),
    ]);
    const names = new Map(rows.map(({ id, name }) => [orgIds.from(id) as string, name as string]));
    return keys.map(({ name, orgId }) => ({ name, organization: names.get(orgId) as string }));
  }
}

const orgIds = idColumn('org');

const namedAlone = ({ name, organization }: Named): Named => ({ name, organization });

/** Locks are taken in one order, so two requests that end the same approvals cannot deadlock. */
const inOrderOfLocks = (approved: readonly ApprovedApplication[]): ApprovedApplication[] =>
  approved.toSorted((one, other) => (one.id < other.id ? -1 : 1));

export const nameOf = ({ clientName, organization }: ApprovedApplication): Named => ({
  name: clientName,
  organization,
});
