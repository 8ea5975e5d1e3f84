export * from './addresses.js';
export * from './caller.js';
export * from './version.js';
