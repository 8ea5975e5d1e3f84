export * from './caller.js';
export * from './version.js';
