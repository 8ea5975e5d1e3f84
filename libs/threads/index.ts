export * from './heavy-work.js';
export * from './threads.js';
