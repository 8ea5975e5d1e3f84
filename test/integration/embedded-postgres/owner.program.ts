// A process that uses the embedded Postgres as the service does: prints what it started, and stops it on SIGTERM.
import { startEmbeddedPostgres } from '../../../libs/embedded-postgres/index.js';

const postgres = await startEmbeddedPostgres({ dataDir: process.argv[2] ?? '', fsync: false });
process.once('SIGTERM', () => void postgres.stop().then(() => process.exit(0)));
console.log(JSON.stringify({ url: postgres.url, pid: postgres.pid }));
setInterval(() => {}, 60_000);
