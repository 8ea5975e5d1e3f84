import { Int, one } from '#operations';
import { DemoView, LoadView } from '../demo/demo.dto.js';
import { DemoService } from '../demo/demo.service.js';
import { LoadService } from '../demo/load.service.js';
import { command } from './command.js';
import { InOrganization } from './in-organization.dto.js';
import { Operator } from './operator.service.js';

class Load extends InOrganization {
  @Int({ description: 'Number of tasks and number of stays.', min: 1, max: 10_000_000 })
  rows: number;
}

export const demoCommands = [
  command({
    name: 'demo',
    description:
      'Adds demo data to an organization once: properties, people, stays and tasks for the month around today.',
    input: InOrganization,
    output: one(DemoView),
    run: (service, { org }) =>
      service.get(Operator).inOrganization(org, (caller) => service.get(DemoService).fill(caller)),
  }),
  command({
    name: 'load',
    description: 'Adds this number of tasks and stays, with guests and properties in proportion, for measuring.',
    input: Load,
    output: one(LoadView),
    run: (service, { org, rows }) =>
      service.get(Operator).inOrganization(org, (caller) => service.get(LoadService).load(caller, rows)),
  }),
];
