import type { ConsolePage } from './frame/console-page.js';
import { apiKeys } from './pages/api-keys.js';
import { applications } from './pages/applications.js';
import { approvals } from './pages/approvals.js';
import { audit } from './pages/audit.js';
import { calendar } from './pages/calendar.js';
import { commands } from './pages/commands.js';
import { connections } from './pages/connections.js';
import { deliveries, delivery } from './pages/deliveries.js';
import { device, devices } from './pages/devices.js';
import { home } from './pages/home.js';
import { jobs } from './pages/jobs.js';
import { members } from './pages/members.js';
import { messages, suppressions } from './pages/messages.js';
import { newApiKey } from './pages/new-api-key.js';
import { request, requests } from './pages/requests.js';
import { roles } from './pages/roles.js';
import { run, runs } from './pages/runs.js';
import { settings } from './pages/settings.js';
import { today } from './pages/today.js';
import { usage } from './pages/usage.js';
import { webhook, webhooks } from './pages/webhooks.js';
import { workflows } from './pages/workflows.js';

/** Every page. */
export const consolePages: readonly ConsolePage[] = [
  home,
  today,
  calendar,
  approvals,
  requests,
  request,
  usage,
  audit,
  members,
  roles,
  apiKeys,
  newApiKey,
  applications,
  webhooks,
  webhook,
  deliveries,
  delivery,
  connections,
  devices,
  device,
  commands,
  workflows,
  runs,
  run,
  jobs,
  messages,
  suppressions,
  settings,
];
