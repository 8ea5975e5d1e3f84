import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

/** What V8 compiles of packages is kept in dist from one start to the next. To be imported before all else. */
enableCompileCache(fileURLToPath(new URL('../.cache', import.meta.url)));
