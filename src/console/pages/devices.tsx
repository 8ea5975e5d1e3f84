import { getDevice, listDeviceReadings, listDevices } from '../../features/devices/devices.operations.js';
import {
  listDeviceCommands,
  lockDevice,
  setDeviceTemperature,
  unlockDevice,
} from '../../features/devices/commands/device-commands.operations.js';
import { syncConnection } from '../../outside/connections/connections.operations.js';
import { form, type ConsolePage } from '../frame/console-page.js';
import { Act } from '../parts/act.js';
import { Entry } from '../parts/entry.js';
import { Filters } from '../parts/filters.js';
import { Facts, List, Table } from '../parts/list.js';
import { Moment } from '../parts/moment.js';
import { humanized, Id, State, To } from '../parts/words.js';
import { commandColumns } from './commands.js';
import { stateOf } from './device-state.js';
import { choicesOf, namesOf } from './names.js';

const filters = ['q', 'type', 'propertyId', 'online', 'connectionId'] as const;

export const devices: ConsolePage = {
  path: 'devices',
  title: 'Devices',
  needs: 'devices:read',
  isLive: true,
  async show(visit) {
    const [page, properties] = await Promise.all([visit.list(listDevices, filters), namesOf(visit, 'properties')]);
    return (
      <>
        <p class="soft">
          Locks, thermostats and sensors. <To page="commands?status=failed">Failed commands</To>
        </p>
        <Filters
          of={listDevices}
          names={filters}
          choices={{ propertyId: choicesOf(properties) }}
          labels={{ q: 'Name', propertyId: 'Property', connectionId: 'Connection id' }}
        />
        <List
          caption="Devices"
          page={page}
          empty="No devices match these filters."
          columns={[
            ['Name', ({ id, name }) => <To page={`devices/${id}`}>{name}</To>],
            ['Type', ({ type }) => humanized(type)],
            ['State', ({ online }) => <State is={online ? 'online' : 'offline'} />],
            ['Reading', (one) => stateOf(one)],
            ['Battery', ({ batteryLevel }) => (batteryLevel === null ? '–' : `${batteryLevel} %`)],
            ['Property', ({ propertyId }) => (propertyId ? (properties.get(propertyId) ?? propertyId) : '–')],
            ['Reported', ({ stateReportedAt }) => <Moment at={stateReportedAt} none="never" />],
          ]}
        />
      </>
    );
  },
};

export const device: ConsolePage = {
  path: 'devices/:deviceId',
  title: 'Device',
  needs: 'devices:read',
  isLive: true,
  forms: [
    form(syncConnection, 'The state was read.'),
    form(lockDevice, 'The command was sent.'),
    form(unlockDevice, 'The command was sent.', { isSensitive: true }),
    form(setDeviceTemperature, 'The command was sent.'),
  ],
  async show(visit) {
    const deviceId = visit.params.deviceId as string;
    const one = await visit.ask(getDevice, { deviceId });
    const [readings, commands] = await Promise.all([
      visit.ask(listDeviceReadings, { deviceId, limit: 20 }),
      visit.ask(listDeviceCommands, { deviceId, limit: 20 }),
    ]);
    const { capabilities } = one;
    return (
      <>
        <section class="panel">
          <Facts
            of={{
              Name: one.name,
              Type: humanized(one.type),
              State: <State is={one.online ? 'online' : 'offline'} />,
              Shows: stateOf(one),
              Battery: one.batteryLevel === null ? null : `${one.batteryLevel} %`,
              Reported: <Moment at={one.stateReportedAt} none="never" />,
              Model: [one.manufacturer, one.model].filter(Boolean).join(' '),
              'Remote control': one.remoteControlEnabled ? 'allowed' : 'not allowed',
              Id: <Id id={one.id} />,
            }}
          />
          <div class="acts">
            <Act does={syncConnection} to={{ connectionId: one.connectionId }} label="Read the state" />
            {capabilities.lockDevice && <Act does={lockDevice} to={{ deviceId }} label="Lock" />}
            {capabilities.unlockDevice && (
              <Act does={unlockDevice} to={{ deviceId }} label="Unlock" ask="Unlocks the door now." />
            )}
            {capabilities.setDeviceTemperature && (
              <Act
                does={setDeviceTemperature}
                to={{ deviceId }}
                label="Set the temperature"
                ask="The new target, in °C:"
              >
                <Entry name="temperature" value={one.state.targetTemperature} />
              </Act>
            )}
          </div>
        </section>
        <h2>Commands</h2>
        <Table caption="Commands" items={commands.items} empty="None yet." columns={commandColumns} />
        <h2>Readings</h2>
        <Table
          caption="Readings"
          items={readings.items}
          empty="None yet."
          columns={[
            ['When', ({ reportedAt }) => <Moment at={reportedAt} />],
            ['State', ({ online }) => <State is={online ? 'online' : 'offline'} />],
            ['Reading', (reading) => stateOf(reading)],
            ['Battery', ({ batteryLevel }) => (batteryLevel === null ? '–' : `${batteryLevel} %`)],
          ]}
        />
      </>
    );
  },
};
