/** Stands for libs/threads/priority.ts in the tests' threads: kept-threads.mjs says why. */
import { getEnvironmentData } from 'node:worker_threads';
import { leaveCores as leaveThem } from '../../../libs/threads/priority.ts';

export const leaveCores = () => {
  if (getEnvironmentData('threads') === 'real') leaveThem();
};
