export * from './money.dto.js';
