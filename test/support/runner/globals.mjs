/** What `import … from '@jest/globals'` returns: the same as the globals. */
export const { jest, expect, it, test, describe, beforeAll, beforeEach, afterAll, afterEach } = globalThis;
