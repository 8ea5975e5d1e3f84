import type { MemberActivityView } from '../../tenancy/members/member.dto.js';
import {
  inviteMember,
  listMembers,
  reinstateMember,
  removeMember,
  resendInvitation,
  suspendMember,
  updateMember,
} from '../../tenancy/members/members.operations.js';
import { form, type ConsolePage } from '../frame/console-page.js';
import { useVisit } from '../frame/visit.js';
import { Act, Folded, FoldedAct } from '../parts/act.js';
import { type Choices, Entry } from '../parts/entry.js';
import { Filters } from '../parts/filters.js';
import { List } from '../parts/list.js';
import { Moment } from '../parts/moment.js';
import { State, To } from '../parts/words.js';
import { choicesOf, type Names, namesOf } from './names.js';

const filters = ['status', 'kind', 'roleId'] as const;

export const members: ConsolePage = {
  path: 'members',
  title: 'Members',
  needs: 'members:read',
  forms: [
    form(inviteMember, 'The invitation was sent.', { isSensitive: true }),
    form(resendInvitation, 'The invitation was sent again.', { isSensitive: true }),
    form(updateMember, 'The member was changed.', { isSensitive: true }),
    form(suspendMember, 'The member was suspended.', { isSensitive: true }),
    form(reinstateMember, 'The member was reinstated.', { isSensitive: true }),
    form(removeMember, 'The member was removed.', { isSensitive: true }),
  ],
  async show(visit) {
    const [page, roleNames, propertyNames] = await Promise.all([
      visit.list(listMembers, filters),
      namesOf(visit, 'roles'),
      namesOf(visit, 'properties'),
    ]);
    const [roles, properties] = [choicesOf(roleNames), choicesOf(propertyNames)];
    return (
      <>
        <FoldedAct does={inviteMember} title="Invite a person" isOpen={visit.refused?.operation === 'inviteMember'}>
          <Act does={inviteMember} label="Send the invitation" isPrimary>
            <Entry name="email" label="Email address" />
            <Entry name="name" hint="Leave empty to use the name of their account." />
            <Entry name="roleId" label="Role" choices={roles} />
            {properties.length > 0 && (
              <Folded title="Limit them to some properties">
                <Entry name="propertyIds" label="Properties" choices={properties} isMany />
              </Folded>
            )}
          </Act>
        </FoldedAct>
        <Filters of={listMembers} names={filters} choices={{ roleId: roles }} labels={{ roleId: 'Role' }} />
        <List
          caption="Members"
          page={page}
          columns={[
            ['Name', (one) => <Who {...one} />],
            ['State', ({ status }) => <State is={status} />],
            ['Role', ({ roleId, kind }) => (kind === 'machine' ? 'a key' : roleNames.get(roleId ?? '')) ?? '–'],
            ['Properties', (one) => <Properties member={one} names={propertyNames} />],
            ['Last active', ({ lastActiveAt }) => <Moment at={lastActiveAt} none="never" />],
            [
              'Second factor',
              ({ hasSecondFactor }) => (hasSecondFactor === null ? '–' : hasSecondFactor ? 'yes' : 'no'),
            ],
            ['', (one) => <Actions member={one} roles={roles} />],
          ]}
        />
      </>
    );
  },
};

const Who = ({ name, email, status, invitationSentAt }: MemberActivityView) => (
  <>
    <strong>{name}</strong>
    {email && email !== name && <small>{email}</small>}
    {status === 'invited' && (
      <small>
        {invitationSentAt ? (
          <>
            invited <Moment at={invitationSentAt} />
          </>
        ) : (
          'no email was sent'
        )}
      </small>
    )}
  </>
);

/** A machine sees what its keys allow, and never more than it may see itself. */
const Properties = ({ member: { kind, propertyIds }, names }: { member: MemberActivityView; names: Names }) => {
  const { may } = useVisit();
  const limit = propertyIds?.map((id) => names.get(id) ?? id).join(', ');
  if (kind === 'user') return <>{limit ?? 'all'}</>;
  return (
    <>
      {limit && `${limit}, or fewer, `}
      {may('api-keys:read') ? <To page="keys">as its API keys</To> : 'as its API keys'}
    </>
  );
};

/** An invited member is invited again or no longer; others are suspended, reinstated or removed. */
const Actions = ({ member: { id: memberId, name, kind, status, roleId }, roles }: ActionsProps) => (
  <div class="acts">
    {status === 'invited' && <Act does={resendInvitation} to={{ memberId }} label="Resend" of={name} />}
    {status === 'suspended' && <Act does={reinstateMember} to={{ memberId }} label="Reinstate" of={name} />}
    {kind === 'user' && status !== 'removed' && (
      <Act
        does={updateMember}
        to={{ memberId }}
        label="Change"
        of={name}
        ask="The role applies from their next request."
      >
        <Entry name="roleId" label="Role" value={roleId} choices={roles} />
      </Act>
    )}
    {status === 'active' && (
      <Act
        does={suspendMember}
        to={{ memberId }}
        label="Suspend"
        of={name}
        ask="They lose access until they are reinstated."
      />
    )}
    {status !== 'removed' && (
      <Act
        does={removeMember}
        to={{ memberId }}
        label={status === 'invited' ? 'Revoke' : 'Remove'}
        of={name}
        ask={
          status === 'invited'
            ? 'The link in the invitation no longer works.'
            : 'They lose access permanently, and API keys that they created are revoked.'
        }
      />
    )}
  </div>
);

interface ActionsProps {
  member: MemberActivityView;
  roles: Choices;
}
