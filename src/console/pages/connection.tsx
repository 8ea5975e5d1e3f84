import {
  disconnectConnection,
  getConnection,
  syncConnection,
  testConnection,
  updateConnection,
} from '../../outside/connections/connections.operations.js';
import { form, type ConsolePage } from '../frame/console-page.js';
import { Act } from '../parts/act.js';
import { Entry } from '../parts/entry.js';
import { Facts, Table } from '../parts/list.js';
import { Moment } from '../parts/moment.js';
import { Id, State, To } from '../parts/words.js';
import { ChangeConnection, placesOf, providerNames, readChangedConnection } from './connection-forms.js';
import { LastSync, writesToUs } from './connections.js';
import { namesOf } from './names.js';

export const connection: ConsolePage = {
  path: 'connections/:connectionId',
  title: 'Connection',
  needs: 'connections:read',
  isLive: true,
  forms: [
    form(syncConnection, 'The sync has finished.'),
    form(testConnection, 'The connection was tested.'),
    form(updateConnection, 'The connection was changed.', { isSensitive: true, read: readChangedConnection }),
    form(disconnectConnection, 'The connection was disconnected.', { isSensitive: true }),
  ],
  async show(visit) {
    const connectionId = visit.params.connectionId as string;
    const one = await visit.ask(getConnection, { connectionId });
    const [properties, places] = await Promise.all([namesOf(visit, 'properties'), placesOf(visit)]);
    const { url, unitId } = one.settings as Record<string, string | undefined>;
    const to = { connectionId };
    return (
      <>
        <section class="panel">
          <Facts
            of={{
              Name: one.name,
              State: <State is={one.status} />,
              Because: one.reason,
              Provider: providerNames[one.provider] ?? one.provider,
              Property: one.propertyId && (properties.get(one.propertyId) ?? <Id id={one.propertyId} />),
              Room: unitId && (places.find(([place]) => place.endsWith(unitId))?.[1] ?? <Id id={unitId} />),
              Address: url,
              'Address for webhooks': one.webhookUrl && <Id id={one.webhookUrl} />,
              'Last sync': !writesToUs(one) && <LastSync {...one} />,
              'Next sync': one.nextSyncAt && <Moment at={one.nextSyncAt} />,
              Id: <Id id={one.id} />,
            }}
          />
          {one.kind === 'device' && (
            <p>
              <To page={`devices?connectionId=${connectionId}`}>Its devices</To>
            </p>
          )}
          {one.status !== 'disconnected' && (
            <div class="acts">
              {!writesToUs(one) && (
                <>
                  <Act does={syncConnection} to={to} label="Sync now" isPrimary />
                  <Act does={testConnection} to={to} label="Test" />
                </>
              )}
              <ChangeConnection of={one} places={places} />
              <Act
                does={disconnectConnection}
                to={to}
                label="Disconnect"
                isDangerous
                ask="Syncing stops permanently. Imported records are kept."
              >
                {writesToUs(one) && <Entry name="stays" label="Future stays (keep or cancel)" value="keep" />}
                {one.provider !== 'ical' && (
                  <Entry
                    name="force"
                    label="Disconnect even if it has access codes, or stays to cancel"
                    value="false"
                  />
                )}
              </Act>
            </div>
          )}
        </section>
        <h2>Latest errors</h2>
        <Table
          caption="Latest errors"
          items={one.errors}
          empty="No errors."
          columns={[
            ['When', ({ occurredAt }) => <Moment at={occurredAt} />],
            ['What', ({ message }) => message],
          ]}
        />
      </>
    );
  },
};
