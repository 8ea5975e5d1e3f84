import type { Approval } from '../../auth/approvals/approval.entity.js';
import { statusOf } from '../../auth/approvals/approval-shown.js';
import { pathWith } from '../../platform/pages/see-other.js';
import type { ConsolePage } from '../frame/console-page.js';
import { type Column, Table } from '../parts/list.js';
import { Moment } from '../parts/moment.js';
import { State } from '../parts/words.js';
import { namesOf, type Names } from './names.js';

export const approvals: ConsolePage = {
  path: 'approvals',
  title: 'Approvals',
  isLive: true,
  async show(visit) {
    const pending = await visit.approvals('pending');
    const decided = await visit.approvals('decided');
    const members = await namesOf(visit, 'members');
    const { orgId, memberId } = visit.membership;
    const subjects = new Map([
      ...(await visit.subjectsOfApprovals('pending')),
      ...(await visit.subjectsOfApprovals('decided')),
    ]);
    const requested = columnsOf(new Map([...members, [memberId, 'You']]), subjects);
    return (
      <>
        <p class="soft">Requests from applications and API keys that a person has to approve.</p>
        {visit.may('organization:manage') && (
          <p>
            <a class="button" href={pathWith('/account/approval-rules', { org: orgId })}>
              Approval rules
            </a>
          </p>
        )}
        <h2>Pending</h2>
        <Table
          caption="Pending approvals"
          items={pending}
          empty="Nothing is waiting for you."
          columns={[...requested, ['Expires', ({ expiresAt }) => <Moment at={expiresAt} />]]}
        />
        <h2>Decided</h2>
        <Table
          caption="Decided approvals"
          items={decided}
          empty="No approvals have been decided yet."
          columns={[
            ...requested,
            ['State', (one) => <State is={statusOf(one)} />],
            ['Decided', ({ decidedAt }) => <Moment at={decidedAt} />],
            ['By', ({ decidedBy }) => (decidedBy ? (members.get(decidedBy) ?? 'A member') : '–')],
          ]}
        />
      </>
    );
  },
};

const columnsOf = (members: Names, subjects: Names): Column<Approval>[] => [
  ['Request', ({ id, summary }) => <a href={`/approvals/${id}`}>{summary}</a>],
  ['About', ({ id }) => subjects.get(id) || '–'],
  [
    'Requested by',
    ({ requestedBy, caller }) =>
      `${members.get(requestedBy) ?? 'A member'}, ${caller.credential.kind === 'api-key' ? 'with an API key' : 'through an application'}`,
  ],
  ['Requested', ({ createdAt }) => <Moment at={createdAt} />],
];
