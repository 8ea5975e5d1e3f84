import type { RequestView } from '../../platform/requests/request.dto.js';
import { getRequest, listRequests } from '../../platform/requests/requests.operations.js';
import { listAuditEntries } from '../../platform/audit/audit.operations.js';
import { listEvents } from '../../platform/events/events.operations.js';
import type { ConsolePage } from '../frame/console-page.js';
import { Filters } from '../parts/filters.js';
import { Facts, List, Table } from '../parts/list.js';
import { Moment } from '../parts/moment.js';
import { Record } from '../parts/record.js';
import { Id, To } from '../parts/words.js';
import { choicesOf, namesOf, type Names } from './names.js';
import { isOpenToUndo, undoForm, UndoOne, UndoRequest } from './undo.js';

const filters = ['status', 'operation', 'code', 'door', 'credentialId', 'from', 'to'] as const;

export const requests: ConsolePage = {
  path: 'requests',
  title: 'Requests',
  needs: 'requests:read',
  async show(visit) {
    const [page, keys, members] = await Promise.all([
      visit.list(listRequests, filters),
      namesOf(visit, 'keys'),
      namesOf(visit, 'members'),
    ]);
    return (
      <>
        <p class="soft">
          Requests of the last seven days from programs, assistants and pages, including rejected ones.
        </p>
        <Filters
          of={listRequests}
          names={filters}
          choices={{ credentialId: choicesOf(keys), door: Object.entries(doors) }}
          labels={{ credentialId: 'API key', code: 'Error code', door: 'Through' }}
        />
        <List
          caption="Requests"
          page={page}
          empty="No requests match these filters."
          columns={[
            ['When', ({ at }) => <Moment at={at} />],
            ['Operation', (one) => <To page={`requests/${one.id}`}>{nameOf(one)}</To>],
            ['Status', (one) => <Status {...one} />],
            ['Through', ({ door, credential }) => `${doors[door]}, ${whoOf(credential, keys)}`],
            ['For', ({ memberId }) => members.get(memberId) ?? memberId],
            ['Duration', ({ milliseconds }) => `${Math.round(milliseconds)} ms`],
          ]}
        />
      </>
    );
  },
};

const doors = { rest: 'REST', mcp: 'MCP', page: 'Page' } as const;
const kinds = { 'api-key': 'API key', oauth: 'application', session: 'person', workflow: 'workflow' } as const;

/** Neither a look at a page nor an unknown address is an operation. */
const nameOf = ({ operation, door }: RequestView): string => operation ?? (door === 'page' ? 'a page' : 'none');

const whoOf = ({ kind, id }: RequestView['credential'], keys: Names): string => keys.get(id) ?? kinds[kind];

const Status = ({ status, code }: Pick<RequestView, 'status' | 'code'>) => (
  <span class={`state ${status < 400 ? 'good' : 'bad'}`}>
    {status}
    {code && ` ${code}`}
  </span>
);

export const request: ConsolePage = {
  path: 'requests/:requestId',
  title: 'Request',
  needs: 'requests:read',
  forms: [undoForm],
  async show(visit) {
    const one = await visit.ask(getRequest, { requestId: visit.params.requestId as string });
    const [keys, members] = await Promise.all([namesOf(visit, 'keys'), namesOf(visit, 'members')]);
    // Clients may repeat an X-Request-Id.
    const caused = { requestId: one.requestId, from: one.at, limit: 40 };
    const changes = visit.may('audit:read') ? await visit.ask(listAuditEntries, caused) : undefined;
    const events = visit.may('events:read') ? await visit.ask(listEvents, caused) : undefined;
    const entries = changes?.items ?? [];
    const { undone, permanent } = await visit.closed(entries);
    const open = entries.filter((entry) => isOpenToUndo(entry) && !permanent.has(entry.id));
    const isWhole = !entries.some(({ id, logId }) => logId === one.id && permanent.has(id));
    const meaning = one.code && one.operation && visit.meaningOf(one.operation, one.code);
    return (
      <>
        <section class="panel">
          <Facts
            of={{
              Operation: nameOf(one),
              Status: <Status {...one} />,
              When: <Moment at={one.at} />,
              Duration: `${one.milliseconds} ms`,
              Through: `${doors[one.door]}, ${whoOf(one.credential, keys)}`,
              Credential: <Id id={one.credential.id} />,
              For: members.get(one.memberId) ?? <Id id={one.memberId} />,
              'Response bytes': one.bytes,
              'Invalid fields': one.invalidFields.join(', '),
              Remarks: remarksOf(one),
              'X-Request-Id': <Id id={one.requestId} />,
              Id: <Id id={one.id} />,
            }}
          />
        </section>
        {one.code && (
          <section class="panel">
            <h2>What {one.code} means</h2>
            {meaning && <p>{meaning}</p>}
            <p>
              <a href={`/docs/guides/errors#${one.code}`}>Its entry in the list of errors</a> says what causes it and
              whether to send the request again.
            </p>
          </section>
        )}
        {changes && (
          <section class="panel">
            <h2>Changes</h2>
            <Table
              caption="Changes"
              items={changes.items}
              empty="No changes."
              columns={[
                ['What', ({ action }) => action],
                ['Record', ({ target }) => <Record {...target} />],
                ['Change', ({ target }) => <To page={`audit?targetId=${target.id}`}>before and after</To>],
                ['When', ({ createdAt }) => <Moment at={createdAt} />],
                [
                  '',
                  (entry) =>
                    undone.has(entry.id) ? 'undone' : open.length > 1 && open.includes(entry) && <UndoOne {...entry} />,
                ],
              ]}
            />
            {open.length > 0 && isWhole && !open.some(({ id }) => undone.has(id)) && (
              <div class="acts">
                <UndoRequest logId={one.id} label="Undo the request" />
              </div>
            )}
          </section>
        )}
        {events && (
          <section class="panel">
            <h2>Events</h2>
            <Table
              caption="Events"
              items={events.items}
              empty="No events."
              columns={[
                ['What', ({ type }) => type],
                ['Record', ({ subject }) => <Record {...subject} />],
                ['Deliveries', ({ id }) => <To page={`deliveries?eventId=${id}`}>to webhooks</To>],
                ['When', ({ occurredAt }) => <Moment at={occurredAt} />],
              ]}
            />
          </section>
        )}
      </>
    );
  },
};

const remarksOf = ({ replayed, dryRun, sampled }: RequestView): string =>
  [
    replayed && 'the response to an earlier request with the same Idempotency-Key',
    dryRun && 'a rehearsal that changed nothing',
    sampled && 'one of twenty: the log keeps only some reads after 100,000 a day',
  ]
    .filter(Boolean)
    .join('; ');
