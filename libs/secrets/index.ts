export * from './hash-of-random.js';
export * from './keyring.js';
