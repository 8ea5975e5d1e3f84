import { readConfig } from '../../../src/platform/config/app.config.js';
import { createApp } from '../../../src/processes/app.js';
import { loadKeyring } from '../../../src/processes/keyring-file.js';
import { withSampleDrafts } from '../../support/sample-drafts.js';

/** A worker that knows the sample of a model-backed operation; it runs until it is killed. */
const config = readConfig();
const environment = { config, keyring: loadKeyring(config.dataDir), databaseUrl: config.databaseUrl as string };
const app = await withSampleDrafts(() => createApp(environment));
await app.init();
process.stdout.write('ready\n');
