import type { Handled } from '#operations';

/** The everyday operations, with the tools that find and call all others. */
export const core = 'core';

/**
 * The toolsets of each subject. Clients have these names in their addresses, so they stay as they are when code moves
 * to another folder.
 */
const bySubject: Readonly<Record<string, readonly string[]>> = {
  'access-codes': ['access-codes', 'devices'],
  'api-keys': ['api-keys'],
  applications: ['applications'],
  approvals: ['approvals'],
  'audit-entries': ['audit-entries'],
  availability: ['availability', 'reservations', 'units'],
  boards: ['boards', 'reservations'],
  changes: ['changes'],
  clock: ['clock'],
  connections: ['connections'],
  'device-commands': ['device-commands', 'devices'],
  devices: ['devices'],
  events: ['events'],
  guests: ['guests', 'reservations'],
  guides: ['guides'],
  me: ['me', 'organizations'],
  members: ['members', 'organizations'],
  messages: ['messages'],
  'model-jobs': ['model-jobs', 'models'],
  organizations: ['organizations'],
  places: ['places', 'guides'],
  'place-references': ['place-references', 'references', 'connections'],
  properties: ['properties', 'organizations'],
  requests: ['requests'],
  reservations: ['reservations'],
  roles: ['roles', 'organizations'],
  'stay-references': ['stay-references', 'references', 'connections', 'reservations'],
  tasks: ['tasks'],
  templates: ['templates'],
  translations: ['translations', 'guides'],
  assignments: ['assignments', 'reservations', 'units'],
  'unit-blocks': ['unit-blocks', 'units', 'reservations'],
  'unit-types': ['unit-types', 'units', 'organizations'],
  units: ['units', 'organizations'],
  'webhook-deliveries': ['webhook-deliveries', 'webhooks'],
  'webhook-endpoints': ['webhook-endpoints', 'webhooks'],
  'workflow-runs': ['workflow-runs', 'workflows'],
  workflows: ['workflows'],
};

export const toolsetsOf = ({ feature, operation }: Pick<Handled, 'feature' | 'operation'>): readonly string[] => {
  const named = bySubject[feature] ?? [feature];
  return operation.everyday ? [...named, core] : named;
};

/** Whether a subject's toolsets have been decided on; until then it is in one of its own name. */
export const isFrozen = (feature: string): boolean => feature in bySubject;
