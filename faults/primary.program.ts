// A PostgreSQL whose owner can be killed with it, so that nobody starts it again.
import { startEmbeddedPostgres } from '#embedded-postgres';

const postgres = await startEmbeddedPostgres({ dataDir: process.argv[2] ?? '' });
process.once('SIGTERM', () => void postgres.stop().then(() => process.exit(0)));
process.stdout.write(`${JSON.stringify({ url: postgres.url, pid: postgres.pid })}\n`);
setInterval(() => undefined, 60_000);
