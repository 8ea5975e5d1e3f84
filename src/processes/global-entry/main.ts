import { runBundled } from '../run-bundled.js';

await runBundled('global-entry');
