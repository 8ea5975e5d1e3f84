export * from './timely.js';
