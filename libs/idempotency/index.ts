export * from './fingerprint.js';
export * from './idempotency-records.js';
