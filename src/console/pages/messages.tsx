import {
  addSuppression,
  listMessages,
  listSuppressions,
  removeSuppression,
} from '../../outside/messages/messages.operations.js';
import { listEmailTemplates } from '../../features/templates/templates.operations.js';
import { form, type ConsolePage } from '../frame/console-page.js';
import { Act, FoldedAct } from '../parts/act.js';
import { Entry } from '../parts/entry.js';
import { Filters } from '../parts/filters.js';
import { List } from '../parts/list.js';
import { Moment } from '../parts/moment.js';
import { humanized, Id, State, To } from '../parts/words.js';

const filters = ['status', 'templateId', 'guestId', 'reservationId'] as const;

export const messages: ConsolePage = {
  path: 'messages',
  title: 'Messages',
  needs: 'messages:read',
  isLive: true,
  async show(visit) {
    const page = await visit.list(listMessages, filters);
    const templates = visit.may('templates:read') ? (await visit.ask(listEmailTemplates, { limit: 100 })).items : [];
    const names = new Map(templates.map(({ id, name }) => [id, name]));
    return (
      <>
        <p class="soft">
          Emails to guests. <To page="messages/suppressions">Suppressed addresses</To>
        </p>
        <Filters
          of={listMessages}
          names={filters}
          choices={{ templateId: [...names] }}
          labels={{ templateId: 'Template', guestId: 'Guest id', reservationId: 'Reservation id' }}
        />
        <List
          caption="Messages"
          page={page}
          empty="No messages match these filters."
          columns={[
            ['When', ({ createdAt }) => <Moment at={createdAt} />],
            ['Template', ({ templateId }) => names.get(templateId) ?? <Id id={templateId} />],
            ['State', ({ status }) => <State is={status} />],
            ['To', ({ guestId, memberId }) => <Id id={guestId ?? memberId ?? '–'} />],
            ['Reason', ({ reason }) => reason ?? '–'],
            ['Sent', ({ sentAt }) => <Moment at={sentAt} />],
          ]}
        />
      </>
    );
  },
};

export const suppressions: ConsolePage = {
  path: 'messages/suppressions',
  title: 'Suppressed addresses',
  needs: 'messages:read',
  forms: [
    form(addSuppression, 'The address was suppressed. No more emails are sent to it.'),
    form(removeSuppression, 'The suppression was removed.'),
  ],
  async show(visit) {
    return (
      <>
        <FoldedAct does={addSuppression} title="Add an address" isOpen={visit.refused?.operation === 'addSuppression'}>
          <Act does={addSuppression} label="Add" isPrimary>
            <Entry name="email" label="Email address" />
            <Entry name="covers" />
          </Act>
        </FoldedAct>
        <Filters of={listSuppressions} names={['email', 'reason']} />
        <List
          caption="Suppressions"
          page={await visit.list(listSuppressions, ['email', 'reason'])}
          empty="No suppressed addresses. Addresses are not stored; to look for one, filter by it."
          columns={[
            ['Since', ({ createdAt }) => <Moment at={createdAt} />],
            ['Covers', ({ covers }) => humanized(covers)],
            ['Reason', ({ reason }) => humanized(reason)],
            ['Id', ({ id }) => <Id id={id} />],
            [
              '',
              ({ id }) => (
                <div class="acts">
                  <Act
                    does={removeSuppression}
                    to={{ suppressionId: id }}
                    label="Remove"
                    of={id}
                    ask="Emails are sent to the address again."
                  />
                </div>
              ),
            ],
          ]}
        />
      </>
    );
  },
};
