import type { Operation } from '#operations';

/**
 * Who may do what, written down a second time: by hand, from the specification, and independently of the product's
 * code. The matrix compares the service with this table, and fails by name if an operation is missing here.
 */

/** The permission that each operation needs; `none` are available to every credential. */
const operationsOf: Record<string, string> = {
  none: 'getMe getModelJob listModelJobs cancelModelJob getApproval listApprovals withdrawApproval',
  'organization:read': 'getOrganization',
  'organization:manage': 'updateOrganization',
  'members:read': 'getMember listMembers listRoles',
  'members:manage': `createRole deleteRole updateRole inviteMember removeMember reinstateMember resendInvitation
    suspendMember updateMember`,
  'api-keys:read': 'getApiKey listApiKeys',
  'api-keys:manage': 'createApiKey revokeApiKey rotateApiKey',
  'applications:read': 'listApplications',
  'applications:write': 'revokeApplication',
  'properties:read':
    'getProperty listProperties listUnits getUnit listAllUnits getUnitType listUnitTypes getUnitBlock listUnitBlocks listAvailableUnits getAvailability getPropertyByRef getUnitTypeByRef getUnitByRef',
  'properties:write': `createProperty updateProperty archiveProperty restoreProperty setPropertyStatus createUnit
    updateUnit archiveUnit restoreUnit setUnitStatus createUnitType updateUnitType archiveUnitType
    createUnitBlock updateUnitBlock endUnitBlock savePropertyByRef saveUnitTypeByRef saveUnitByRef
    savePropertiesInBulk saveUnitTypesInBulk saveUnitsInBulk`,
  'properties:secrets': 'revealWifi revealCalendarFeed rotateCalendarFeed',
  'reservations:read':
    'getReservation listReservations countReservations getRoomBoard getTapeChart getDay getReservationByRef reconcileReservations',
  'reservations:write': `createReservation updateReservation moveReservation cancelReservation checkInReservation
    undoCheckIn checkOutReservation undoCheckOut markNoShow undoNoShow reinstateReservation
    assignUnit unassignUnit assignUnits saveReservationByRef cancelReservationByRef
    saveReservationsInBulk`,
  'guests:read': 'getGuest listGuests getGuestByRef',
  'guests:write': 'createGuest updateGuest eraseGuest mergeGuests saveGuestByRef saveGuestsInBulk',
  'guides:read': 'getGuide listGuides listPlaces listTranslations',
  'guides:write': `saveGuide updateGuide addPlace updatePlace hidePlace editTranslation editTranslations approveTranslation
    importGuidePlace initializeLanguageTranslations retranslateGuideText`,
  'guides:publish': 'publishGuide archiveGuide',
  'connections:read': 'getConnection listConnections',
  'connections:manage': 'createConnection updateConnection disconnectConnection syncConnection testConnection',
  'devices:read': 'getDevice listDevices countDevices listDeviceReadings getDeviceCommand listDeviceCommands',
  'devices:write': 'updateDevice archiveDevice restoreDevice',
  'devices:control': 'lockDevice unlockDevice setDeviceTemperature setDeviceMode',
  'access-codes:read': 'listAccessCodes countAccessCodes',
  'access-codes:write': 'createAccessCode updateAccessCode regenerateAccessCode removeAccessCode',
  'access-codes:reveal': 'revealAccessCode',
  'events:read': 'listEvents streamEvents',
  'webhooks:read': 'listWebhookEndpoints listWebhookDeliveries',
  'webhooks:manage': `createWebhookEndpoint updateWebhookEndpoint deleteWebhookEndpoint rotateWebhookSecret
    testWebhookEndpoint replayWebhookDeliveries revealWorkflowSecret`,
  'audit:read': 'listAuditEntries exportAuditEntries',
  'requests:read': 'listRequests getRequest getUsage',
  'changes:undo': 'undoChanges',
  'tasks:read': 'getTask listTasks countTasks listTaskComments',
  'tasks:write': `createTask updateTask startTask completeTask cancelTask reopenTask archiveTask restoreTask assignTask
    commentOnTask attachToTask removeAttachment changeTasksInBulk`,
  'templates:read': 'getEmailTemplate listEmailTemplates renderEmailTemplate diffEmailTemplate',
  'templates:write': `saveEmailTemplate updateEmailTemplate archiveEmailTemplate sendTestEmail create_email_template
    modify_email_template`,
  'templates:publish': 'publishEmailTemplate rollBackEmailTemplate',
  'workflows:read': `getWorkflow listWorkflows getWorkflowCatalog testWorkflow getWorkflowRun listWorkflowRuns`,
  'workflows:write': 'saveWorkflow updateWorkflow archiveWorkflow create_workflow modify_workflow',
  'workflows:activate': 'activateWorkflow pauseWorkflow runWorkflow retryWorkflowRun cancelWorkflowRun',
  'messages:read': 'getMessage listMessages listSuppressions',
  'messages:write': 'addSuppression removeSuppression',
};

export const scopes = Object.keys(operationsOf).filter((scope) => scope !== 'none');

/** The scope by operation name; undefined for operations that need none. */
export const scopeOf = new Map(
  Object.entries(operationsOf).flatMap(([scope, names]) =>
    names.split(/\s+/).map((name): [string, string | undefined] => [name, scope === 'none' ? undefined : scope]),
  ),
);

/** The permission that reads events of each kind of subject; for model jobs it depends on the requested operation. */
export const scopeOfSubject: Record<string, string> = {
  access_code: 'access-codes:read',
  api_key: 'api-keys:read',
  application: 'applications:manage',
  approval: 'approvals:decide',
  connection: 'connections:read',
  device: 'devices:read',
  device_command: 'devices:read',
  email_template: 'templates:read',
  guest: 'guests:read',
  guide: 'guides:read',
  member: 'members:read',
  message: 'messages:read',
  organization: 'organization:read',
  place: 'guides:read',
  property: 'properties:read',
  reservation: 'reservations:read',
  role: 'members:read',
  suppression: 'messages:read',
  task: 'tasks:read',
  unit: 'properties:read',
  unit_block: 'properties:read',
  unit_type: 'properties:read',
  webhook_endpoint: 'webhooks:read',
  workflow: 'workflows:read',
  workflow_run: 'workflows:read',
};

/** What the ids in paths, bodies and filters refer to. */
export const kinds = {
  accessCodeId: 'code',
  applicationId: 'application',
  approvalId: 'approval',
  assigneeId: 'member',
  blockId: 'block',
  assigneeIds: 'member',
  commandId: 'command',
  connectionId: 'connection',
  deviceId: 'device',
  endpointId: 'endpoint',
  eventId: 'event',
  externalId: 'external',
  fileId: 'file',
  fromGuestId: 'guest',
  guestId: 'guest',
  guideId: 'guide',
  jobId: 'job',
  keyId: 'key',
  memberId: 'member',
  messageId: 'message',
  placeId: 'place',
  propertyId: 'property',
  propertyIds: 'property',
  requestId: 'request',
  reservationId: 'reservation',
  roleId: 'role',
  runAsMemberId: 'member',
  runId: 'run',
  suppressionId: 'suppression',
  taskId: 'task',
  taskIds: 'task',
  templateId: 'template',
  translationId: 'translation',
  connectsTo: 'unit',
  unitId: 'unit',
  unitTypeId: 'unittype',
  workflowId: 'workflow',
} as const;
export type Kind = (typeof kinds)[keyof typeof kinds];

export const isReference = (field: string): field is keyof typeof kinds => Object.hasOwn(kinds, field);

export function kindOf(field: string): Kind {
  if (isReference(field)) return kinds[field];
  throw new Error(`The oracle does not know what ${field} is`);
}

/** Records that only the requesting credential sees: here the key with every permission. */
export const seenByTheirMaker: readonly Kind[] = ['approval'];

/**
 * Fields that are named like ids but do not refer to a record: free texts of the audit trail, a position in the feed,
 * clients, credentials of any kind.
 */
export const noReferences = ['allowedClientIds', 'auditEntryIds', 'credentialId', 'lastEventId', 'targetId'];

/**
 * Whether an operation changes or reveals something that applies to every property, so that a limited credential is
 * rejected whatever it names. Every other response to such a credential also follows from `reach`.
 */
export const concernsAll = ({ reach, effect, showsSecret }: Operation): boolean =>
  reach === 'organization' && (effect !== 'read' || showsSecret !== undefined);

/** Not a tool: its response never ends. */
export const restOnly = ['streamEvents'];

/** What each list shows, and the query that makes it show everything. */
export const lists: Record<string, [Kind, object?]> = {
  listAccessCodes: ['code'],
  exportAuditEntries: ['task', { targetType: 'task' }],
  listAllUnits: ['unit'],
  listApiKeys: ['key'],
  listApprovals: ['approval'],
  listApplications: ['application', { of: 'organization' }],
  listAuditEntries: ['task', { targetType: 'task' }],
  listConnections: ['connection'],
  listDeviceCommands: ['command'],
  listDevices: ['device'],
  listEmailTemplates: ['template'],
  listEvents: ['task', { types: ['task.created'] }],
  listGuests: ['guest'],
  listGuides: ['guide'],
  listMembers: ['member'],
  listMessages: ['message'],
  listModelJobs: ['job'],
  listProperties: ['property'],
  getUsage: ['request'],
  listRequests: ['request', { code: 'MADE' }],
  listReservations: ['reservation'],
  listRoles: ['role'],
  listSuppressions: ['suppression'],
  listTasks: ['task'],
  listWebhookDeliveries: ['endpoint'],
  listWebhookEndpoints: ['endpoint'],
  listWorkflowRuns: ['run'],
  listWorkflows: ['workflow'],
};

const day = { checkInDate: '2031-03-01', checkOutDate: '2031-03-03' };
export const steps = [{ id: 'make', kind: 'operation', operation: 'createTask', input: { name: 'Made' } }];
const endpoint = { url: 'https://93.184.215.14/', eventTypes: ['task.created'] };

/** The minimum input of each operation besides its path; nothing if it is not listed. */
export const inputs: Record<string, object> = {
  addPlace: { name: 'Café' },
  addSuppression: { email: 'quiet@tests.example' },
  assignUnits: { date: '2031-03-01' },
  assignTask: { assigneeIds: [] },
  attachToTask: { fileName: 'a.txt', contentType: 'text/plain', content: btoa('words') },
  changeTasksInBulk: { taskIds: [], action: 'start' },
  commentOnTask: { text: 'Done soon' },
  create_email_template: { instruction: 'Welcome the guest' },
  create_workflow: { instruction: 'Make a task when a stay is booked' },
  createAccessCode: { name: 'Made', type: 'ongoing' },
  createApiKey: { name: 'Made', scopes: ['tasks:read'] },
  createConnection: { name: 'Made', provider: 'simulator', kind: 'pms' },
  createGuest: { name: 'Ana' },
  createProperty: { name: 'Made', timezone: 'UTC' },
  createReservation: { ...day },
  createRole: { name: 'Made', permissions: ['tasks:read'] },
  createTask: { name: 'Made' },
  createUnit: { name: 'Made' },
  createUnitBlock: { from: '2031-03-01', until: '2031-03-02', kind: 'out_of_service' },
  createUnitType: { name: 'Made' },
  createWebhookEndpoint: endpoint,
  diffEmailTemplate: { from: 1 },
  editTranslation: { text: 'Bem-vindos' },
  editTranslations: { texts: [{ translationId: 'translation_x', text: 'Bem-vindos' }] },
  getAvailability: { from: '2031-03-01', until: '2031-03-02' },
  importGuidePlace: { place: 'Café Central' },
  initializeLanguageTranslations: { locale: 'pt' },
  inviteMember: { email: 'made@tests.example' },
  listAvailableUnits: { from: '2031-03-01', until: '2031-03-02' },
  modify_email_template: { instruction: 'Shorter' },
  modify_workflow: { instruction: 'Make two tasks' },
  moveReservation: day,
  reconcileReservations: { items: [] },
  saveGuestsInBulk: { items: [{ externalId: '1' }] },
  savePropertiesInBulk: { items: [{ externalId: '1' }] },
  saveReservationsInBulk: { items: [{ externalId: '1' }] },
  saveUnitTypesInBulk: { items: [{ externalId: '1' }] },
  saveUnitsInBulk: { items: [{ externalId: '1' }] },
  replayWebhookDeliveries: {},
  retranslateGuideText: { locale: 'pt', textKeys: ['title'] },
  saveEmailTemplate: { name: 'Made', subject: 'Hi', body: '<p>Hi</p>' },
  saveGuide: { name: 'Made', sourceLocale: 'en' },
  saveWorkflow: { name: 'Made', trigger: { kind: 'manual' }, steps },
  setDeviceMode: { mode: 'cool' },
  setDeviceTemperature: { temperature: 21 },
  setPropertyStatus: { cleaningStatus: 'dirty' },
  undoChanges: { auditEntryIds: ['audit_01900000000070008000000000000000'] },
};
