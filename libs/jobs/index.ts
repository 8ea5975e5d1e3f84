export * from './due-timer.js';
