export * from './ahead.js';
export * from './loop-time.js';
