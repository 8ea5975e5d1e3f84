export * from './give-way.js';
export * from './in-progress.js';
export * from './reached.js';
export * from './slices.js';
export * from './turns.js';
