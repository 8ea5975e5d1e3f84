import { cpus, loadavg } from 'node:os';

/** What figures are said with: how much the machine has, and how busy it was in the last minutes. */
export const machineNow = (): string => `${cpus().length} cores, load ${loadavg()[1]?.toFixed(1)}`;
