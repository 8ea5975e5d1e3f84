export * from './child-environment.js';
