export * from './memory-rate-limit-store.js';
export * from './minute-rate-store.js';
export * from './rate-limit-store.js';
export * from './redis-limits.js';
export * from './sliding-window-store.js';
export * from './source.js';
