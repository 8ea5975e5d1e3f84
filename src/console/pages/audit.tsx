import type { AuditEntryView } from '../../platform/audit/audit-entry.dto.js';
import { listAuditEntries } from '../../platform/audit/audit.operations.js';
import type { ConsolePage } from '../frame/console-page.js';
import { Filters } from '../parts/filters.js';
import { List } from '../parts/list.js';
import { Moment } from '../parts/moment.js';
import { humanized, Id, To } from '../parts/words.js';
import { choicesOf, namesOf, type Names } from './names.js';

const filters = ['actor', 'action', 'targetType', 'targetId', 'requestId', 'from', 'to'] as const;

export const audit: ConsolePage = {
  path: 'audit',
  title: 'Audit trail',
  needs: 'audit:read',
  async show(visit) {
    const [page, members] = await Promise.all([visit.list(listAuditEntries, filters), namesOf(visit, 'members')]);
    const head = page.items.find(({ seal }) => seal)?.seal;
    return (
      <>
        <p class="soft">Who changed what, and with which credential. Entries are permanent and tamper-evident.</p>
        <Filters
          of={listAuditEntries}
          names={filters}
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
            ['Record', ({ target }) => <To page={`audit?targetId=${target.id}`}>{target.type}</To>],
            ['Change', (entry) => <Change {...entry} />],
            ['Request', ({ logId }) => (logId ? <To page={`requests/${logId}`}>request</To> : '–')],
          ]}
        />
        {head && (
          <p class="soft foot">
            The newest seal here has position {head.position} and hash <Id id={head.hash} />.
          </p>
        )}
      </>
    );
  },
};

const through = { 'api-key': '', oauth: ', through an application', session: '', workflow: ', by a workflow' } as const;

const whoOf = ({ actor, credential }: AuditEntryView, members: Names): string =>
  `${members.get(actor.id ?? '') ?? humanized(actor.type)}${credential ? through[credential.kind] : ''}`;

/** Before and after, side by side, field by field. */
const Change = ({ before, after }: AuditEntryView) => {
  const [was, is] = [before ?? {}, after ?? {}] as Record<string, unknown>[];
  const names = [...new Set([...Object.keys(was ?? {}), ...Object.keys(is ?? {})])];
  if (names.length === 0) return <>–</>;
  return (
    <details>
      <summary>
        {before === null ? 'created' : after === null ? 'deleted' : names.slice(0, 3).map(humanized).join(', ')}
        {before && after && names.length > 3 && ` and ${names.length - 3} more`}
      </summary>
      <table class="change">
        <thead>
          <tr>
            <th scope="col">Field</th>
            {before && <th scope="col">Before</th>}
            {after && <th scope="col">After</th>}
          </tr>
        </thead>
        <tbody>
          {names.map((name) => (
            <tr key={name}>
              <th scope="row">{humanized(name)}</th>
              {before && <td>{written(was?.[name])}</td>}
              {after && <td>{written(is?.[name])}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
};

const written = (value: unknown): string =>
  value === undefined || value === null ? '–' : typeof value === 'string' ? value : JSON.stringify(value);
