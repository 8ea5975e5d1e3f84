import { conflict } from '#errors';

export const demoIsThere = () =>
  conflict('DEMO_EXISTS', 'The organization already has the demo data. Create another organization for a fresh copy.');
