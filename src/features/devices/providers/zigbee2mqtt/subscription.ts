import type { Outbound } from '#outbound';
import type { Account } from '../../../../outside/connections/connection-provider.js';
import type { DeviceReport } from '../device-answers.js';
import type { Line } from '../device-provider.js';
import { Bridge, type Contact, reportIn } from './bridge.js';
import type { Message } from './mqtt-session.js';
import type { Zigbee2MqttSettings } from './zigbee2mqtt-settings.dto.js';

/** The reports of a bridge's devices, as long as the connection lasts and the bridge runs. */
export async function listenTo(
  outbound: Outbound,
  account: Account<Zigbee2MqttSettings>,
  onReport: (report: DeviceReport) => void,
  signal: AbortSignal,
): Promise<Line> {
  const bridge = await Bridge.open(outbound, account, signal);
  if (!(bridge instanceof Bridge)) return bridge;
  const { session } = bridge;
  let contacts: Contact[] = [];
  const follow = async (): Promise<void> => {
    const known = new Set(contacts.map(({ topic }) => topic));
    contacts = bridge.contacts();
    await bridge.subscribe(contacts.filter(({ topic }) => !known.has(topic)));
  };
  const take = (message: Message): void => {
    // Devices were added or have another name.
    if (message.topic === bridge.topic('bridge/devices')) void follow().catch(() => session.end());
    for (const contact of contacts) {
      const report = reportIn(contact, message);
      // A state of unknown age is ignored; availability is valid until another report changes it.
      if (report && (report.reportedAt ?? report.online) !== undefined) {
        onReport({ reportedAt: new Date().toISOString(), ...report });
      }
    }
  };
  session.onMessage(take);
  signal.addEventListener('abort', () => session.end(), { once: true });
  await follow().catch(() => session.end());
  if (signal.aborted) session.end();
  return { outcome: 'listening', lost: bridge.ended().then(() => session.end()) };
}
