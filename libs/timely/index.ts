export * from '../with-timeout/with-timeout.js';
