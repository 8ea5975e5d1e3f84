export * from './addresses.js';
export * from './outbound-error.js';
export * from './outbound.js';
export { type OutboundAnswer, type OutboundRequest, type Visit } from './visit.js';
