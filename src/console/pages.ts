import type { ConsolePage } from './frame/console-page.js';
import { apiKeys } from './pages/api-keys.js';
import { applications } from './pages/applications.js';
import { approvals } from './pages/approvals.js';
import { audit } from './pages/audit.js';
import { calendar } from './pages/calendar.js';
import { commands } from './pages/commands.js';
import { connection } from './pages/connection.js';
import { connections } from './pages/connections.js';
import { deliveries, delivery } from './pages/deliveries.js';
import { device, devices } from './pages/devices.js';
import { home } from './pages/home.js';
import { job, jobs } from './pages/jobs.js';
import { members } from './pages/members.js';
import { messages, suppressions } from './pages/messages.js';
import { newApiKey } from './pages/new-api-key.js';
import { newReservation } from './pages/new-reservation.js';
import { properties } from './pages/properties.js';
import { property } from './pages/property.js';
import { request, requests } from './pages/requests.js';
import { reservation } from './pages/reservation.js';
import { reservations } from './pages/reservations.js';
import { roles } from './pages/roles.js';
import { run, runs } from './pages/runs.js';
import { settings } from './pages/settings.js';
import { today } from './pages/today.js';
import { usage } from './pages/usage.js';
import { webhook } from './pages/webhook.js';
import { webhooks } from './pages/webhooks.js';
import { workflows } from './pages/workflows.js';

/** Every page. */
export const consolePages: readonly ConsolePage[] = [
  home,
  today,
  calendar,
  reservations,
  newReservation,
  reservation,
  properties,
  property,
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
  connection,
  devices,
  device,
  commands,
  workflows,
  runs,
  run,
  jobs,
  job,
  messages,
  suppressions,
  settings,
];
