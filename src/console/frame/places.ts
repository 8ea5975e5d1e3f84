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
    entries: [{ path: '', title: 'Home' }],
  },
  {
    group: 'Watch',
    entries: [
      { path: 'requests', title: 'Requests', needs: 'requests:read' },
      { path: 'webhooks', title: 'Webhooks', needs: 'webhooks:read' },
      { path: 'deliveries', title: 'Deliveries', needs: 'webhooks:read' },
    ],
  },
  {
    group: 'Access',
    entries: [{ path: 'keys', title: 'API keys', needs: 'api-keys:read' }],
  },
];
