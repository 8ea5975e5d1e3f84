import type { Vector } from '../vector.js';

/** How much the victim's figures vary on their own: a limit that this vector misses is within the noise of the machine. */
export const nothing: Vector = {
  name: 'nothing',
  description: 'no attack, as a control',
  prepare: () => Promise.resolve(() => Promise.resolve()),
};
