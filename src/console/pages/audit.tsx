import type { AuditEntryView } from '../../platform/audit/audit-entry.dto.js';
import { listAuditEntries } from '../../platform/audit/audit.operations.js';
import { pathWith } from '../../platform/pages/see-other.js';
import type { ConsolePage } from '../frame/console-page.js';
import type { Visit } from '../frame/visit.js';
import { Change } from '../parts/change.js';
import { Filters } from '../parts/filters.js';
import { List } from '../parts/list.js';
import { Moment } from '../parts/moment.js';
import { humanized, Id, To } from '../parts/words.js';
import { choicesOf, namesOf, type Names } from './names.js';
import { isOpenToUndo, undoForm, UndoRequest } from './undo.js';

export const auditFilters = ['actor', 'action', 'targetType', 'targetId', 'requestId', 'from', 'to'] as const;

export const audit: ConsolePage = {
  path: 'audit',
  title: 'Audit trail',
  needs: 'audit:read',
  forms: [undoForm],
  async show(visit) {
    const [page, members] = await Promise.all([visit.list(listAuditEntries, auditFilters), namesOf(visit, 'members')]);
    const { undone, permanent } = await visit.closed(page.items);
    const closedRequests = new Set(
      page.items.filter(({ id }) => undone.has(id) || permanent.has(id)).map(({ logId }) => logId),
    );
    const isWhole = visit.caller.propertyIds === null;
    return (
      <>
        <p class="soft">Who changed what, and with which credential. Entries are permanent and tamper-evident.</p>
        <Filters
          of={listAuditEntries}
          names={auditFilters}
          choices={{ actor: choicesOf(members) }}
          labels={{ actor: 'Who', targetType: 'Kind of record', targetId: 'Id of the record', requestId: 'Request' }}
        />
        <List
          caption="Changes"
          page={page}
          empty="No changes match these filters."
          columns={[
            ['When', ({ createdAt }) => <Moment at={createdAt} />],
            ['Who', (entry) => whoOf(entry, members)],
            ['What', ({ action }) => action],
            ['Record', ({ target }) => <To page={`audit?targetId=${target.id}`}>{humanized(target.type)}</To>],
            ['Change', (entry) => <Change {...entry} />],
            ['Request', ({ logId }) => (logId ? <To page={`requests/${logId}`}>request</To> : '–')],
            [
              '',
              (entry) =>
                undone.has(entry.id)
                  ? 'undone'
                  : entry.logId &&
                    isOpenToUndo(entry) &&
                    !closedRequests.has(entry.logId) && (
                      <div class="acts">
                        <UndoRequest logId={entry.logId} label="Undo" of={entry.action} />
                      </div>
                    ),
            ],
          ]}
        />
        <p class="below">
          <a class="button" href={pathWith(`${visit.base}/audit/export`, visit.query)} download>
            Download as NDJSON
          </a>
        </p>
        {isWhole && (
          <section class="panel">
            <h2>Verification</h2>
            {visit.query.verify ? <Verified {...await visit.verifyTrail()} /> : <ToVerify path={visit.path} />}
            <p class="soft">
              An operator verifies the whole chain with <code>ops audit verify</code>: see{' '}
              <a href="/docs/guides/audit">the audit trail</a>.
            </p>
          </section>
        )}
      </>
    );
  },
};

const ToVerify = ({ path }: { path: string }) => (
  <form method="get" action={path}>
    <input type="hidden" name="verify" value="newest" />
    <button>Verify the newest entries</button>
  </form>
);

/** Whether entries were changed, deleted or inserted without the service, as far back as a page can look. */
const Verified = ({ checked, head, faults }: Awaited<ReturnType<Visit['verifyTrail']>>) => (
  <>
    <p class={faults === 0 ? 'notice good' : 'notice'} role="status">
      {faults === 0
        ? `The newest ${checked.toLocaleString('en')} sealed entries are unchanged, and none is missing.`
        : `${faults.toLocaleString('en')} of the newest entries were changed, deleted or inserted without the service. Ask an operator to verify the whole trail.`}
    </p>
    {head && (
      <p class="soft">
        Head of the chain: position {head.position}, hash <Id id={head.hash} />. Keep it elsewhere to verify against it
        later.
      </p>
    )}
  </>
);

const through = { 'api-key': '', oauth: ', through an application', session: '', workflow: ', by a workflow' } as const;

const whoOf = ({ actor, credential }: AuditEntryView, members: Names): string =>
  `${members.get(actor.id ?? '') ?? humanized(actor.type)}${credential ? through[credential.kind] : ''}`;
