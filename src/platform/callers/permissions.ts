import type { Environment } from '#regions';

/** What a permission allows: the three groups of the consent screen. */
export type PermissionGroup = 'see' | 'change' | 'sensitive';

/**
 * Every permission: the scope of operations and API keys, the content of roles, and a line of the consent screen.
 * Features declare the permissions of their operations; a test compares the two.
 */
export const permissions = {
  'organization:read': { group: 'see', description: "The organization's settings" },
  'organization:manage': { group: 'sensitive', description: "Change the organization's settings" },
  'members:read': { group: 'see', description: 'Members and their roles' },
  'members:manage': { group: 'sensitive', description: 'Invite, suspend and remove members, and change roles' },
  'api-keys:read': { group: 'see', description: 'API keys, without their secrets' },
  'api-keys:manage': { group: 'sensitive', description: 'Create and revoke API keys' },
  'applications:read': { group: 'see', description: 'Connected applications' },
  'applications:write': { group: 'change', description: 'Disconnect your own applications' },
  'applications:manage': { group: 'sensitive', description: "See and disconnect other members' applications" },
  'approvals:decide': {
    group: 'sensitive',
    description: 'See pending approvals, and decide them on a page',
  },
  'properties:read': { group: 'see', description: 'Properties and their units' },
  'properties:write': { group: 'change', description: 'Add and change properties' },
  'properties:secrets': { group: 'sensitive', description: 'Wifi passwords and calendar addresses' },
  'reservations:read': { group: 'see', description: 'Reservations with dates, places and names of guests' },
  'reservations:write': { group: 'change', description: 'Book, move and cancel stays, and check guests in and out' },
  'guests:read': { group: 'see', description: "Guests' names and contacts" },
  'guests:write': { group: 'change', description: 'Add, change and erase guests' },
  'guides:read': { group: 'see', description: 'Guides, their places and translations' },
  'guides:write': { group: 'change', description: 'Write and translate guides' },
  'guides:publish': { group: 'change', description: 'Publish guides for guests, and take them offline' },
  'connections:read': { group: 'see', description: 'Connections to other systems, without their credentials' },
  'connections:manage': { group: 'sensitive', description: 'Connect and disconnect other systems' },
  'devices:read': { group: 'see', description: 'Devices, their state and their commands' },
  'devices:write': { group: 'change', description: 'Rename, place and archive devices' },
  'devices:control': { group: 'sensitive', description: 'Lock and unlock doors, and set thermostats' },
  'access-codes:read': { group: 'see', description: 'Access codes of doors, masked' },
  'access-codes:write': { group: 'sensitive', description: 'Create, change and remove codes that open doors' },
  'access-codes:reveal': { group: 'sensitive', description: 'Read codes that open doors' },
  'events:read': { group: 'see', description: 'Events about every change' },
  'webhooks:read': { group: 'see', description: 'Webhook endpoints and their deliveries' },
  'webhooks:manage': { group: 'sensitive', description: 'Send events to addresses of their choice' },
  'audit:read': { group: 'see', description: 'Who changed what, and with which application or key' },
  'changes:undo': { group: 'change', description: 'Undo changes that they are permitted to make' },
  'requests:read': { group: 'see', description: 'Requests and their outcomes, without their content' },
  'clock:manage': { group: 'sensitive', description: 'Move the clock of a test environment', onlyInTests: true },
  'tasks:read': { group: 'see', description: 'Tasks, their checklists and comments' },
  'tasks:write': { group: 'change', description: 'Create, assign and complete tasks' },
  'templates:read': { group: 'see', description: 'Email templates' },
  'templates:write': { group: 'change', description: 'Write email templates, and send tests to members' },
  'templates:publish': { group: 'change', description: 'Choose which email templates guests receive' },
  'messages:read': { group: 'see', description: 'Messages and who received them' },
  'messages:write': { group: 'change', description: 'Stop messages to email addresses' },
  'workflows:read': { group: 'see', description: 'Workflows and their runs' },
  'workflows:write': { group: 'change', description: 'Write workflows' },
  'workflows:activate': {
    group: 'sensitive',
    description: 'Activate and pause workflows, which then act automatically',
  },
} as const satisfies Record<string, { group: PermissionGroup; description: string; onlyInTests?: true }>;

export type Permission = keyof typeof permissions;

export const permissionNames = Object.keys(permissions) as Permission[];

/** The permissions that an environment lists and grants. Keys and roles that have others keep them. */
export const permissionsIn = (environment: Environment): Permission[] =>
  permissionNames.filter((name) => environment === 'test' || !('onlyInTests' in permissions[name]));

/** Those of the given permissions that an environment lists and grants. */
export function offeredOf<Name extends string>(names: readonly Name[], environment: Environment): Name[] {
  const offered: readonly string[] = permissionsIn(environment);
  return names.filter((name) => offered.includes(name));
}

/** A schema that lists only them. */
export function schemaIn<Schema extends object>(environment: Environment, schema: Schema): Schema {
  const offered: readonly string[] = permissionsIn(environment);
  const isHidden = (value: unknown): boolean =>
    typeof value === 'string' && isPermission(value) && !offered.includes(value);
  const withoutHidden = (name: string, value: unknown): unknown =>
    name === 'enum' && Array.isArray(value) ? value.filter((one) => !isHidden(one)) : value;
  return environment === 'test' ? schema : (JSON.parse(JSON.stringify(schema), withoutHidden) as Schema);
}

export const isPermission = (name: string): name is Permission => Object.hasOwn(permissions, name);

export const builtInRoles = ['owner', 'manager', 'coordinator', 'cleaner', 'viewer'] as const;
export type BuiltInRole = (typeof builtInRoles)[number];

/**
 * Permissions that only members who have them can take from another member: to manage, publish or control, or to read
 * secrets.
 */
export const isGuarded = (name: string): boolean =>
  (isPermission(name) && permissions[name].group === 'sensitive') || name.endsWith(':publish');

const visible = permissionNames.filter((name) => permissions[name].group === 'see');
/**
 * Not for coordinators and viewers: the settings of a connection contain addresses that work like keys, and the audit
 * trail and the request log show what everybody does.
 */
const managed = [
  'organization:manage',
  'members:manage',
  'api-keys:manage',
  'api-keys:read',
  'connections:read',
  'webhooks:read',
  'audit:read',
  'requests:read',
];

/** owner: all; manager: all but the organization itself; coordinator: daily work; cleaner: tasks; viewer: reads. */
const builtInPermissions: Record<BuiltInRole, readonly string[]> = {
  owner: permissionNames,
  manager: permissionNames.filter((name) => name !== 'organization:manage'),
  coordinator: permissionNames.filter((name) => !managed.includes(name) && permissions[name].group !== 'sensitive'),
  cleaner: ['properties:read', 'tasks:read', 'tasks:write'],
  viewer: visible.filter((name) => !managed.includes(name)),
};

/** The current permissions of a role. */
export const permissionsOf = (role: {
  builtIn: BuiltInRole | null;
  permissions: readonly string[];
}): readonly string[] => (role.builtIn ? builtInPermissions[role.builtIn] : role.permissions);
