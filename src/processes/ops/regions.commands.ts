import { readConfig } from '../../platform/config/app.config.js';
import type { Command } from './command.js';
import { startRegions } from './regions.js';

class NoFlags {}

export const regionsCommands: Command[] = [
  {
    name: 'regions',
    description: 'Runs a cell for each region and the global entry on free ports of this machine, until it is stopped.',
    input: NoFlags,
    run: async () => {
      const { addresses, ended } = await startRegions(readConfig());
      return { value: addresses, lasts: ended };
    },
  },
];
