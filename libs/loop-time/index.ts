export * from './ahead.js';
export * from './late-loop.js';
export * from './loop-time.js';
export * from './overload-delay.js';
