import type { ConsolePage } from './frame/console-page.js';
import { deliveries, delivery } from './pages/deliveries.js';
import { home } from './pages/home.js';
import { apiKeys } from './pages/api-keys.js';
import { newApiKey } from './pages/new-api-key.js';
import { request, requests } from './pages/requests.js';
import { webhook, webhooks } from './pages/webhooks.js';

/** Every page. */
export const consolePages: readonly ConsolePage[] = [
  home,
  requests,
  request,
  webhooks,
  webhook,
  deliveries,
  delivery,
  apiKeys,
  newApiKey,
];
