export * from './readable-traces.js';
