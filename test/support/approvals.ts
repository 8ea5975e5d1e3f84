import { newId } from '#persistence';
import { CredentialsService } from '../../src/auth/bearer/credentials.service.js';
import { Approval } from '../../src/auth/approvals/approval.entity.js';
import { snapshotOf } from '../../src/platform/callers/caller-snapshot.js';
import type { Api } from './api.js';
import type { Service } from './start-app.js';

/** A key's request that waits for a person, as a row that is not stored yet. */
export async function approvalOf({ service, api, orgId }: { service: Service; api: Api; orgId: string }) {
  const caller = await service.app.get(CredentialsService).callerOf({ authorization: `Bearer ${api.key}` }, 'made');
  const [now, expiresAt] = [0, 1_800_000].map((ms) => new Date(Date.now() + ms).toISOString()) as [string, string];
  const id = newId('approval');
  return Object.assign(new Approval(), {
    orgId,
    id,
    status: 'pending' as const,
    principal: caller.credential.principal,
    fingerprint: id,
    idempotencyKey: null,
    joinedKeys: [],
    operation: 'archiveTask',
    summary: 'Archive a task',
    reason: null,
    caller: snapshotOf(caller),
    requestedBy: caller.memberId,
    input: null,
    response: null,
    propertyIds: [],
    effectsHash: '',
    effectsTotal: 0,
    note: null,
    decidedBy: null,
    decidedAt: null,
    endedAt: null,
    expiresAt,
    attempts: 0,
    dueAt: null,
    version: 1,
    createdAt: now,
    updatedAt: now,
  });
}
