import { conflict } from '#errors';

export const demoIsThere = () =>
  conflict('DEMO_EXISTS', 'The organization holds the demo data already; make another organization for a fresh one.');
