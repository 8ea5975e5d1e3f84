/** For `node --import`: a service from its modules whose requests are not kept for its organizations. */
import { registerHooks } from 'node:module';

registerHooks({
  load: (url, context, next) =>
    url.endsWith('/edge/keep-requests.middleware.js')
      ? {
          format: 'module',
          shortCircuit: true,
          source: 'export const keepRequests = () => (_request, _response, next) => next();',
        }
      : next(url, context),
});
