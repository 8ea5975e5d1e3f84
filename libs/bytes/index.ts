export * from './base64.js';
export * from './free.js';
