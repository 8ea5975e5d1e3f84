export * from './shifted-time.js';
