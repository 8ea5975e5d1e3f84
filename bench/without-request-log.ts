/** For `node --import`: runs a service from its modules without the request log. */
import { existsSync } from 'node:fs';
import { registerHooks } from 'node:module';

const logging = new URL('../src/edge/requests/keep-requests.middleware.js', import.meta.url);
if (!existsSync(logging)) throw new Error(`The request log is kept elsewhere than in ${logging.pathname}`);

registerHooks({
  load: (url, context, next) =>
    url === logging.href
      ? {
          format: 'module',
          shortCircuit: true,
          source: 'export const keepRequests = () => (_request, _response, next) => next();',
        }
      : next(url, context),
});
