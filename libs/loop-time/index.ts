export * from './loop-time.js';
