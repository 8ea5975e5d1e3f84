import type { DeviceCommandView } from '../../features/devices/commands/device-command.dto.js';
import { listDeviceCommands } from '../../features/devices/commands/device-commands.operations.js';
import type { ConsolePage } from '../frame/console-page.js';
import { Filters } from '../parts/filters.js';
import { type Column, List } from '../parts/list.js';
import { Moment } from '../parts/moment.js';
import { humanized, State, To } from '../parts/words.js';

const filters = ['status', 'deviceId', 'from', 'to'] as const;

export const commandColumns: readonly Column<DeviceCommandView>[] = [
  ['When', ({ createdAt }) => <Moment at={createdAt} />],
  ['Command', ({ deviceId, operation }) => <To page={`devices/${deviceId}`}>{humanized(operation)}</To>],
  ['State', ({ status }) => <State is={status} />],
  ['Because', ({ error }) => error?.message ?? '–'],
];

export const commands: ConsolePage = {
  path: 'commands',
  title: 'Commands',
  needs: 'devices:read',
  isLive: true,
  async show(visit) {
    return (
      <>
        <p class="soft">Commands sent to locks and thermostats.</p>
        <Filters of={listDeviceCommands} names={filters} labels={{ deviceId: 'Device id' }} />
        <List
          caption="Commands"
          page={await visit.list(listDeviceCommands, filters)}
          empty="No commands match these filters."
          columns={commandColumns}
        />
      </>
    );
  },
};
