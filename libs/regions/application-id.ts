import { randomBase62, type Region } from './credential.js';

const digits = 22;

/** `app_us_` + 22 random base62 digits: an application's id says where it was registered. */
export const newApplicationId = (region: Region): string => `app_${region}_${randomBase62().slice(0, digits)}`;

/** Where an application was registered; undefined for an id that is not ours, such as the address of a document. */
export const regionOfApplication = (id: string): Region | undefined =>
  /^app_(us|eu|apac)_[0-9A-Za-z]{22}$/.exec(id)?.[1] as Region | undefined;
