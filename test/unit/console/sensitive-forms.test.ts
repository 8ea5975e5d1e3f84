import { waysAround } from '../../../src/auth/approval-rules/mode-for.js';
import { consolePages } from '../../../src/console/pages.js';
import { type Permission, permissions } from '../../../src/platform/callers/permissions.js';

/** What needs a sensitive permission, but gives nobody access, acts for nobody and opens nothing. */
const harmless = [
  'cancelWorkflowRun',
  'lockDevice',
  'pauseWorkflow',
  'replayWebhookDeliveries',
  'setDeviceTemperature',
  'syncConnection',
  'testConnection',
  'testWebhookEndpoint',
];

it('asks for a fresh proof before every form that gives access, or acts for somebody', () => {
  const forms = consolePages.flatMap((page) => page.forms ?? []);
  const unguarded = forms
    .filter(({ isSensitive, operation: { name, scope } }) => {
      const isGiving = waysAround.has(name) || permissions[scope as Permission]?.group === 'sensitive';
      return isGiving && !isSensitive;
    })
    .map(({ operation }) => operation.name);
  expect([...new Set(unguarded)].toSorted()).toEqual(harmless);
});
