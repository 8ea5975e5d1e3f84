export * from './batch.js';
export * from './cursors.js';
export { TenantDatabase } from './database.js';
export * from './failures.js';
export * from './ids.js';
export * from './iso-time.js';
export * from './snake-case.js';
export * from './table.js';
export * from './where.js';
