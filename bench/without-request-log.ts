/** For `node --import`: runs a service from its modules without the request log. */
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
