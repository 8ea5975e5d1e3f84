/** What `import … from '@jest/globals'` brings: the same that is global. */
export const { jest, expect, it, test, describe, beforeAll, beforeEach, afterAll, afterEach } = globalThis;
