import type { ConnectionView } from '../../outside/connections/connection.dto.js';
import { createConnection, listConnections, syncConnection } from '../../outside/connections/connections.operations.js';
import { pushProvider } from '../../outside/by-reference/push-settings.dto.js';
import { form, type ConsolePage } from '../frame/console-page.js';
import { Act, Folded } from '../parts/act.js';
import { Filters } from '../parts/filters.js';
import { List } from '../parts/list.js';
import { Moment } from '../parts/moment.js';
import { State, To } from '../parts/words.js';
import { ConnectCalendar, ConnectDevices, placesOf, providerNames, readNewConnection } from './connection-forms.js';
import { choicesOf, namesOf } from './names.js';

const filters = ['provider', 'kind', 'status', 'propertyId'] as const;

export const connections: ConsolePage = {
  path: 'connections',
  title: 'Connections',
  needs: 'connections:read',
  isLive: true,
  forms: [
    form(syncConnection, 'The sync has finished.'),
    form(createConnection, 'The connection was created. The first sync starts within seconds.', {
      isSensitive: true,
      read: readNewConnection,
      next: ({ id }) => `connections/${id}`,
    }),
  ],
  async show(visit) {
    const [page, properties] = await Promise.all([visit.list(listConnections, filters), namesOf(visit, 'properties')]);
    return (
      <>
        <p class="soft">Connected calendars, booking systems and device vendors.</p>
        {visit.may('connections:manage') && (
          <>
            <Folded title="Connect a calendar" isOpen={visit.refused?.typed.provider === 'ical'}>
              <ConnectCalendar places={await placesOf(visit)} />
            </Folded>
            <Folded title="Connect devices" isOpen={visit.refused && visit.refused.typed.provider !== 'ical'}>
              <ConnectDevices />
            </Folded>
          </>
        )}
        <Filters
          of={listConnections}
          names={filters}
          choices={{ propertyId: choicesOf(properties) }}
          labels={{ propertyId: 'Property' }}
        />
        <List
          caption="Connections"
          page={page}
          empty="No connections match these filters."
          columns={[
            ['Name', ({ id, name }) => <To page={`connections/${id}`}>{name}</To>],
            ['State', (one) => <Condition {...one} />],
            ['Provider', ({ provider }) => providerNames[provider] ?? provider],
            ['Property', ({ propertyId }) => (propertyId ? (properties.get(propertyId) ?? propertyId) : 'several')],
            ['Last sync', (one) => (writesToUs(one) ? '–' : <LastSync {...one} />)],
            ['Next sync', ({ nextSyncAt }) => <Moment at={nextSyncAt} />],
            ['', (one) => <Actions {...one} />],
          ]}
        />
      </>
    );
  },
};

const Condition = ({ status, reason, errors }: ConnectionView) => (
  <>
    <State is={status} />
    {(reason ?? (status === 'connected' ? null : errors[0]?.message)) && <small>{reason ?? errors[0]?.message}</small>}
  </>
);

export const LastSync = ({ lastSyncAt, lastSync }: Pick<ConnectionView, 'lastSyncAt' | 'lastSync'>) => (
  <>
    <Moment at={lastSyncAt} none="never" />{' '}
    {lastSync && (
      <small>
        {lastSync.created} new, {lastSync.updated} changed, {lastSync.cancelled} cancelled
      </small>
    )}
  </>
);

/** The other system saves its records here on its own, so nothing is fetched from it. */
export const writesToUs = ({ provider }: Pick<ConnectionView, 'provider'>): boolean => provider === pushProvider;

const Actions = ({ id: connectionId, name, provider, status }: ConnectionView) =>
  status === 'disconnected' || writesToUs({ provider }) ? null : (
    <div class="acts">
      <Act does={syncConnection} to={{ connectionId }} label="Sync now" of={name} />
    </div>
  );
