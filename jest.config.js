import { env } from 'node:process';

/** How tests run: test/support/runner says. */
export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  // What takes longer than everyone should wait for: npm run test:long.
  testPathIgnorePatterns: ['\\.long\\.test\\.ts$'],
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  runner: '<rootDir>/test/support/runner/index.mjs',
  setupFiles: ['<rootDir>/test/support/setup.ts'],
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
  testTimeout: 60_000,
  // More than two cores: many tests wait for a process of theirs to start or to end.
  // A deployment has one clock, which several files would move at a time.
  maxWorkers: env.TARGET_URL ? 1 : 4,
};
