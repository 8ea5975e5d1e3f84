export * from './recurrence-rule.js';
