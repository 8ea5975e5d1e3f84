export * from './addresses.js';
export * from './caller.js';
export * from './scope-set.js';
export * from './version.js';
