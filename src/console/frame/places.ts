import type { Permission } from '../../platform/callers/permissions.js';

interface Place {
  /** Below `/console/{slug}/`, or from the root. */
  readonly path: string;
  readonly title: string;
  readonly needs?: Permission;
}

/** The navigation: the day's work first, then what an administrator looks after. */
export const places: readonly { group: string; entries: readonly Place[] }[] = [
  {
    group: '',
    entries: [
      { path: '', title: 'Home' },
      { path: 'today', title: 'Today', needs: 'reservations:read' },
      { path: 'calendar', title: 'Calendar', needs: 'reservations:read' },
      { path: 'reservations', title: 'Reservations', needs: 'reservations:read' },
      { path: 'properties', title: 'Properties', needs: 'properties:read' },
      { path: 'approvals', title: 'Approvals' },
    ],
  },
  {
    group: 'Watch',
    entries: [
      { path: 'requests', title: 'Requests', needs: 'requests:read' },
      { path: 'usage', title: 'Usage', needs: 'requests:read' },
      { path: 'audit', title: 'Audit trail', needs: 'audit:read' },
    ],
  },
  {
    group: 'Access',
    entries: [
      { path: 'members', title: 'Members', needs: 'members:read' },
      { path: 'roles', title: 'Roles', needs: 'members:read' },
      { path: 'keys', title: 'API keys', needs: 'api-keys:read' },
      { path: 'applications', title: 'Applications', needs: 'applications:read' },
    ],
  },
  {
    group: 'Systems',
    entries: [
      { path: 'webhooks', title: 'Webhooks', needs: 'webhooks:read' },
      { path: 'deliveries', title: 'Deliveries', needs: 'webhooks:read' },
      { path: 'connections', title: 'Connections', needs: 'connections:read' },
      { path: 'devices', title: 'Devices', needs: 'devices:read' },
      { path: 'commands', title: 'Commands', needs: 'devices:read' },
    ],
  },
  {
    group: 'Automation',
    entries: [
      { path: 'workflows', title: 'Workflows', needs: 'workflows:read' },
      { path: 'runs', title: 'Runs', needs: 'workflows:read' },
      { path: 'jobs', title: 'Jobs' },
      { path: 'messages', title: 'Messages', needs: 'messages:read' },
    ],
  },
  {
    group: 'Organization',
    entries: [{ path: 'settings', title: 'Settings', needs: 'organization:read' }],
  },
];
