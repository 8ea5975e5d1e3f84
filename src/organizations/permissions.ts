/** What a permission lets happen: the three groups of the consent screen. */
export type PermissionGroup = 'see' | 'change' | 'sensitive';

/**
 * Every permission: the scope of operations and API keys, the content of roles, and a line of the consent screen. A
 * feature's operations name theirs; a test holds the two together.
 */
export const permissions = {
  'organization:read': { group: 'see', says: "The organization's settings" },
  'organization:manage': { group: 'sensitive', says: "Change the organization's settings" },
  'members:read': { group: 'see', says: 'Members and their roles' },
  'members:manage': { group: 'sensitive', says: 'Invite, suspend and remove members, and change roles' },
  'api-keys:read': { group: 'see', says: 'API keys, without their secrets' },
  'api-keys:manage': { group: 'sensitive', says: 'Create and revoke API keys' },
  'applications:read': { group: 'see', says: 'Connected applications' },
  'applications:write': { group: 'change', says: 'Disconnect applications of your own' },
  'applications:manage': { group: 'sensitive', says: "See and disconnect other members' applications" },
  'properties:read': { group: 'see', says: 'Properties and their units' },
  'properties:write': { group: 'change', says: 'Add and change properties' },
  'properties:secrets': { group: 'sensitive', says: 'Wifi passwords and calendar addresses' },
  'reservations:read': { group: 'see', says: 'Reservations with dates and places' },
  'reservations:write': { group: 'change', says: 'Book, move and cancel stays, and check guests in and out' },
  'guests:read': { group: 'see', says: "Guests' names and contacts" },
  'guests:write': { group: 'change', says: 'Add, change and erase guests' },
  'guides:read': { group: 'see', says: 'Guides, their places and translations' },
  'guides:write': { group: 'change', says: 'Write and translate guides' },
  'guides:publish': { group: 'change', says: 'Publish guides for guests, and take them offline' },
  'connections:read': { group: 'see', says: 'Connections to other systems, without their credentials' },
  'connections:manage': { group: 'sensitive', says: 'Connect and disconnect other systems' },
  'devices:read': { group: 'see', says: 'Devices, their state and the commands to them' },
  'devices:write': { group: 'change', says: 'Rename, place and archive devices' },
  'devices:control': { group: 'sensitive', says: 'Lock and unlock doors, and set thermostats' },
  'access-codes:read': { group: 'see', says: 'Access codes of doors, masked' },
  'access-codes:write': { group: 'sensitive', says: 'Create, change and remove codes that open doors' },
  'access-codes:reveal': { group: 'sensitive', says: 'Read codes that open doors' },
  'events:read': { group: 'see', says: 'Everything that happens, as events' },
  'webhooks:read': { group: 'see', says: 'Webhook endpoints and their deliveries' },
  'webhooks:manage': { group: 'sensitive', says: 'Send events to addresses of their choice' },
  'audit:read': { group: 'see', says: 'Who changed what, and with which application or key' },
  'tasks:read': { group: 'see', says: 'Tasks, their checklists and comments' },
  'tasks:write': { group: 'change', says: 'Create, assign and complete tasks' },
  'templates:read': { group: 'see', says: 'Email templates' },
  'templates:write': { group: 'change', says: 'Write email templates, and send tests to members' },
  'templates:publish': { group: 'change', says: 'Choose which email templates guests receive' },
  'messages:read': { group: 'see', says: 'Messages and who received them' },
  'messages:write': { group: 'change', says: 'Stop messages to email addresses' },
  'workflows:read': { group: 'see', says: 'Workflows and their runs' },
  'workflows:write': { group: 'change', says: 'Write workflows' },
  'workflows:activate': { group: 'sensitive', says: 'Activate and pause workflows, which then act automatically' },
} as const satisfies Record<string, { group: PermissionGroup; says: string }>;

export type Permission = keyof typeof permissions;

export const permissionNames = Object.keys(permissions) as Permission[];

export const isPermission = (name: string): name is Permission => Object.hasOwn(permissions, name);

export const builtInRoles = ['owner', 'manager', 'coordinator', 'cleaner', 'viewer'] as const;
export type BuiltInRole = (typeof builtInRoles)[number];

/** What nobody takes from another member without having it: to manage, publish or control, or to read secrets. */
export const isGuarded = (name: string): boolean =>
  (isPermission(name) && permissions[name].group === 'sensitive') || name.endsWith(':publish');

const visible = permissionNames.filter((name) => permissions[name].group === 'see');
/**
 * Not for coordinators and viewers; the settings of a connection hold addresses that are as good as keys, and the audit
 * trail tells what everybody does.
 */
const managed = [
  'organization:manage',
  'members:manage',
  'api-keys:manage',
  'api-keys:read',
  'connections:read',
  'webhooks:read',
  'audit:read',
];

/** owner: all; manager: all but the organization itself; coordinator: daily work; cleaner: tasks; viewer: sees. */
const builtInPermissions: Record<BuiltInRole, readonly string[]> = {
  owner: permissionNames,
  manager: permissionNames.filter((name) => name !== 'organization:manage'),
  coordinator: permissionNames.filter((name) => !managed.includes(name) && permissions[name].group !== 'sensitive'),
  cleaner: ['properties:read', 'tasks:read', 'tasks:write'],
  viewer: visible.filter((name) => !managed.includes(name)),
};

/** What a role permits today. */
export const permissionsOf = (role: {
  builtIn: BuiltInRole | null;
  permissions: readonly string[];
}): readonly string[] => (role.builtIn ? builtInPermissions[role.builtIn] : role.permissions);
