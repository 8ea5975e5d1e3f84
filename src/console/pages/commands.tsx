import type { DeviceCommandView } from '../../features/devices/commands/device-command.dto.js';
import { listDeviceCommands } from '../../features/devices/commands/device-commands.operations.js';
import type { ConsolePage } from '../frame/console-page.js';
import { Filters } from '../parts/filters.js';
import { type Column, List, Table } from '../parts/list.js';
import { Moment } from '../parts/moment.js';
import { humanized, State, To } from '../parts/words.js';

const dayMs = 86_400_000;
const filters = ['status', 'deviceId', 'from', 'to'] as const;

export const commandColumns: readonly Column<DeviceCommandView>[] = [
  ['When', ({ createdAt }) => <Moment at={createdAt} />],
  ['Command', ({ deviceId, operation }) => <To page={`devices/${deviceId}`}>{humanized(operation)}</To>],
  ['State', ({ status }) => <State is={status} />],
  ['Reason', ({ error }) => error?.message ?? '–'],
];

export const commands: ConsolePage = {
  path: 'commands',
  title: 'Commands',
  needs: 'devices:read',
  isLive: true,
  async show(visit) {
    const isNarrowed = filters.some((name) => visit.query[name]) || visit.query.cursor;
    const from = new Date(Date.now() - dayMs).toISOString();
    const failed = isNarrowed ? [] : (await visit.ask(listDeviceCommands, { status: 'failed', from, limit: 10 })).items;
    return (
      <>
        <p class="soft">Commands sent to locks and thermostats.</p>
        {failed.length > 0 && (
          <section class="panel">
            <h2>Failed in the last 24 hours</h2>
            <Table caption="Failed commands" items={failed} columns={commandColumns} />
          </section>
        )}
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
