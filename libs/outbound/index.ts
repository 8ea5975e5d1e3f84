export * from './addresses.js';
export * from './outbound.js';
