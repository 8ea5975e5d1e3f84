import type { Caller } from '#access';
import type { Issue } from '#errors';
import { missingFor } from '../../platform/events/readable-events.js';
import type { ActingMember } from '../../tenancy/members/acting-members.repository.js';
import { type Definition, placedSteps, type Step } from './definition.js';
import type { Trigger } from './trigger.dto.js';

type Path = Issue['path'];

interface Permitted {
  whose: 'writer' | 'member';
  permissions: ReadonlySet<string>;
}

const who = { writer: 'This credential', member: 'The member that the workflow runs as' };

export const noMember: Issue = {
  path: ['runAsMemberId'],
  message: 'No active member has this id. Pass one from listMembers.',
};

const permissionOfTrigger: Partial<Record<Trigger['kind'], string>> = {
  event: 'events:read',
  reservation_relative: 'reservations:read',
};

/** What the trigger and the steps need, and the writer or the member does not have. */
export function permissionIssues(
  { trigger, steps }: Definition,
  permissionFor: (step: Step) => string | undefined,
  { whose, permissions }: Permitted,
): Issue[] {
  const needed = [
    { path: ['trigger'] as Path, permission: permissionOfTrigger[trigger.kind] },
    ...missingFor(trigger.kind === 'event' ? [trigger.eventType] : [], permissions).map((permission) => ({
      path: ['trigger', 'eventType'] as Path,
      permission,
    })),
    ...Array.from(placedSteps(steps), ([step, path]) => ({ path, permission: permissionFor(step) })),
  ];
  return needed
    .filter(({ permission }) => permission !== undefined && !permissions.has(permission))
    .map(({ path, permission }) => ({
      path,
      message: `${who[whose]} does not have ${permission}, which this step needs.`,
    }));
}

/** Nobody may have a workflow run as a member with more permissions than their own. */
export function loanIssues({ memberId, permissions }: Caller, member: ActingMember | undefined): Issue[] {
  if (!member) return [noMember];
  if (member.memberId === memberId) return [];
  const beyond = [...member.permissions].filter((permission) => !permissions.has(permission));
  if (beyond.length === 0) return [];
  return [
    {
      path: ['runAsMemberId'],
      message: `That member has permissions that you do not have: ${beyond.sort().join(', ')}.`,
    },
  ];
}
