export * from './credential.js';
