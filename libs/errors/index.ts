export * from './envelope.js';
export * from './error-types.js';
export * from './factories.js';
export * from './outcomes.js';
export * from './refusals.js';
export * from './service-error.js';
