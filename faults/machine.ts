import { cpus, loadavg } from 'node:os';

/** The conditions of figures: how much the machine has, and how busy it was in the last minutes. */
export const machineNow = (): string => `${cpus().length} cores, load ${loadavg()[1]?.toFixed(1)}`;
