import type { ConnectionView } from '../../outside/connections/connection.dto.js';
import { createConnection, getConnection, updateConnection } from '../../outside/connections/connections.operations.js';
import type { Fields } from '../../platform/pages/forms.service.js';
import { listAllUnits } from '../../tenancy/units/units.operations.js';
import type { Visit } from '../frame/visit.js';
import { Act } from '../parts/act.js';
import { type Choices, Entry } from '../parts/entry.js';
import { choicesOf, namesOf } from './names.js';

/** What a person types of settings and credentials; the provider checks them. */
const settingNames = ['url', 'endpoint', 'baseTopic'] as const;
const credentialNames = ['apiKey', 'webhookSecret', 'username', 'password'] as const;

const typedOf = (fields: Fields, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.flatMap((name) => (fields[name]?.trim() ? [[name, fields[name].trim()]] : [])));

/** A place is a property, or a property and one of its units. */
function settingsOf(fields: Fields): Record<string, unknown> {
  const [propertyId, unitId] = (fields.place ?? '').split(' ');
  return { ...typedOf(fields, settingNames), ...(propertyId && { propertyId }), ...(unitId && { unitId }) };
}

const credentialsOf = (fields: Fields): { credentials?: Record<string, string> } => {
  const credentials = typedOf(fields, credentialNames);
  return Object.keys(credentials).length > 0 ? { credentials } : {};
};

export const readNewConnection = (fields: Fields): object => ({
  name: fields.name?.trim(),
  provider: fields.provider,
  kind: fields.provider === 'ical' ? 'pms' : 'device',
  settings: settingsOf(fields),
  ...credentialsOf(fields),
});

/** Settings are replaced as a whole, so what the form does not have stays as it is. */
export async function readChangedConnection(fields: Fields, { ask, params }: Visit): Promise<object> {
  const { settings } = await ask(getConnection, { connectionId: params.connectionId as string });
  const given = settingsOf(fields);
  return {
    connectionId: params.connectionId,
    name: fields.name?.trim(),
    ...(Object.keys(given).length > 0 && { settings: { ...settings, unitId: undefined, ...given } }),
    ...credentialsOf(fields),
  };
}

/** Properties, and the units of each, as far as the person sees them. */
export async function placesOf(visit: Visit): Promise<Choices> {
  if (!visit.may('properties:read')) return [];
  const properties = await namesOf(visit, 'properties');
  const { items } = await visit.ask(listAllUnits, { limit: 100 });
  return [
    ...choicesOf(properties),
    ...items.map(
      ({ id, propertyId, name }) =>
        [`${propertyId} ${id}`, `${properties.get(propertyId) ?? propertyId}, ${name}`] as const,
    ),
  ];
}

export const ConnectCalendar = ({ places }: { places: Choices }) => (
  <Act does={createConnection} to={{ provider: 'ical' }} label="Connect the calendar" isPrimary>
    <Entry name="name" hint="Such as Airbnb, Lake House." />
    <CalendarEntries places={places} />
  </Act>
);

const CalendarEntries = ({ places, settings = {} }: { places: Choices; settings?: Record<string, unknown> }) => (
  <>
    <Entry
      name="url"
      label="Address of the calendar"
      value={settings.url as string | undefined}
      hint="The https address that the channel shows for exporting its calendar (iCal)."
      isRequired
    />
    <Entry
      name="place"
      label="Property or room"
      value={[settings.propertyId, settings.unitId].filter(Boolean).join(' ')}
      choices={places}
      isRequired
    />
  </>
);

/** As their vendors write them. */
export const providerNames: Readonly<Record<string, string>> = {
  ical: 'Calendar (iCal)',
  push: 'A system that saves its records here',
  seam: 'Seam',
  zigbee2mqtt: 'Zigbee2MQTT',
  simulator: 'Simulator',
};

const deviceProviders: Choices = [
  ['seam', 'Seam'],
  ['zigbee2mqtt', 'Zigbee2MQTT'],
  ['simulator', 'Simulator, to try things out'],
];

export const ConnectDevices = () => (
  <Act does={createConnection} label="Connect the devices" isPrimary>
    <Entry name="name" />
    <Entry name="provider" choices={deviceProviders} />
    <DeviceEntries />
  </Act>
);

const DeviceEntries = ({ of }: { of?: ConnectionView }) => (
  <>
    {of?.provider !== 'zigbee2mqtt' && of?.provider !== 'simulator' && (
      <>
        <Entry name="apiKey" label="API key" hint="Seam. Stored encrypted, and never shown again." />
        <Entry name="webhookSecret" label="Webhook secret" hint="Seam, optional: for changes within seconds." />
      </>
    )}
    {of?.provider !== 'seam' && of?.provider !== 'simulator' && (
      <>
        <Entry name="url" label="MQTT broker" value={of?.settings.url as string} hint="Zigbee2MQTT: mqtts://…" />
        <Entry name="username" label="User name" hint="Zigbee2MQTT." />
        <Entry name="password" hint="Zigbee2MQTT. Stored encrypted, and never shown again." />
      </>
    )}
  </>
);

/** What can be changed: credentials only if they are typed again. */
export const ChangeConnection = ({ of, places }: { of: ConnectionView; places: Choices }) => (
  <Act does={updateConnection} to={{ connectionId: of.id }} label="Change" ask="It is tested immediately.">
    <Entry name="name" value={of.name} />
    {of.provider === 'ical' && <CalendarEntries places={places} settings={of.settings} />}
    {of.kind === 'device' && <DeviceEntries of={of} />}
  </Act>
);
