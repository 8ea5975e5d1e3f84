/** A table of organizations' data, and what an export has of it. */
export interface PortableTable {
  readonly name: string;
  /** Columns that are not exported: secrets, and what the database or the service computes again. */
  readonly without?: readonly string[];
  /** A column that is encrypted for the service, or contains what is; exported in clear, and sealed again by an import. */
  readonly sealed?: SealedColumn;
  /** Values that an import writes instead of those of the export. */
  readonly importedWith?: Readonly<Record<string, string>>;
  /** Whether `user_id` is a person, who may have another account where they are imported. */
  readonly namesPeople?: boolean;
  /** Whether rows refer to rows of the same table, so that all are imported together. */
  readonly refersToItself?: boolean;
  /** Why an import leaves the rows out. Absent: they are imported. */
  readonly exportOnly?: string;
}

export type SealedColumn = {
  readonly column: string;
  /** The column with the id that it is sealed with. */
  readonly idColumn: string;
} & (
  | { readonly kind: 'whole'; readonly contextOf: (id: string) => string }
  /** Steps of a workflow, or what a run has noted of them, in which only the secrets are encrypted. */
  | { readonly kind: 'steps' | 'timeline' }
);

/**
 * What an export contains, parents before their children, which is the order of an import. Keys, approvals,
 * webhook secrets and credentials of connections are bound to the secrets of one service, and have to be created again.
 */
export const portableTables: readonly PortableTable[] = [
  { name: 'roles' },
  { name: 'members', namesPeople: true },
  { name: 'approval_rules', namesPeople: true },
  {
    name: 'properties',
    without: ['feed_token', 'feed_hash'],
    sealed: { kind: 'whole', column: 'wifi', idColumn: 'id', contextOf: (id) => `wifi:property_${id}` },
  },
  { name: 'unit_types' },
  { name: 'units' },
  { name: 'guests', without: ['email_key'], refersToItself: true },
  { name: 'erased_guests' },
  { name: 'connections', without: ['credentials'], importedWith: { status: "'disconnected'", next_sync_at: 'null' } },
  { name: 'reservations', without: ['place_id', 'occupied_from', 'occupied_until'] },
  { name: 'tasks' },
  { name: 'unit_blocks' },
  { name: 'task_comments' },
  { name: 'devices' },
  { name: 'device_readings' },
  { name: 'external_refs' },
  { name: 'email_templates' },
  { name: 'email_template_versions' },
  { name: 'guides' },
  { name: 'published_guides' },
  { name: 'guide_places' },
  { name: 'guide_translations' },
  {
    name: 'workflows',
    importedWith: { status: "case when status = 'active' then 'paused' else status end", next_occurrence_at: 'null' },
  },
  { name: 'workflow_versions', sealed: { kind: 'steps', column: 'steps', idColumn: 'workflow_id' } },
  {
    name: 'access_codes',
    sealed: { kind: 'whole', column: 'sealed', idColumn: 'id', contextOf: (id) => `access-code:code_${id}` },
    exportOnly: 'they are in the locks of the connections that they were created with',
  },
  { name: 'device_commands', exportOnly: 'they were sent, or would be sent twice' },
  {
    name: 'approvals',
    without: ['input', 'response'],
    exportOnly: 'they wait for decisions about requests to one service',
  },
  { name: 'messages', exportOnly: 'they were sent, or would be sent twice' },
  {
    name: 'message_contents',
    sealed: { kind: 'whole', column: 'sealed', idColumn: 'message_id', contextOf: (id) => `message message_${id}` },
    exportOnly: 'they belong to messages',
  },
  { name: 'suppressions', exportOnly: 'their addresses are hashed with the secret of the service' },
  {
    name: 'webhook_endpoints',
    without: ['secret', 'previous_secret'],
    exportOnly: 'their secrets belong to the service, and events would be sent twice',
  },
  { name: 'webhook_deliveries', exportOnly: 'they belong to webhook endpoints' },
  {
    name: 'workflow_runs',
    sealed: { kind: 'timeline', column: 'steps', idColumn: 'workflow_id' },
    exportOnly: 'they were performed, or would be performed twice',
  },
  {
    name: 'events',
    without: ['transaction_id', 'position'],
    exportOnly: 'they are kept for 30 days where they happened',
  },
  {
    name: 'audit_entries',
    without: ['transaction_id', 'signature'],
    exportOnly: 'the trail is signed by the service that wrote it',
  },
  { name: 'api_keys', without: ['hash'], exportOnly: 'keys are hashed with the secret of the service' },
  { name: 'oauth_grants', exportOnly: 'applications are registered at one service' },
  { name: 'model_jobs', exportOnly: 'what they saved is exported as records of its own' },
  { name: 'request_usage', exportOnly: 'it counts the requests of one service' },
  { name: 'request_peaks', exportOnly: 'it counts the requests of one service' },
];

/** Tables with an organization that no export contains, with the reason. */
export const notExported: Readonly<Record<string, string>> = {
  approval_letters: 'remembers which letters are due',
  attachment_totals: 'is computed from the files',
  audit_heads: 'seals entries for the service that wrote them',
  audit_seals: 'seals entries for the service that wrote them',
  calendar_files: 'is read again',
  crowded_places: 'is work in progress',
  device_lines: 'orders the commands that wait for a device',
  event_sequences: 'counts events',
  idempotency_records: 'are the responses of a day',
  oauth_tokens: 'are secrets',
  organization_export_parts: 'are exports',
  organization_exports: 'are exports',
  requests: 'are kept for a few days, and may be listed until then',
  reservation_companions: 'is computed from reservations',
  simulated_devices: 'pretends to be another system',
  stay_segments: 'is computed from reservations',
  task_assignees: 'is computed from tasks',
  times_changes: 'is work in progress',
  hand_overs: 'is work in progress',
  undo_steps: 'are bound to the entries of the trail',
  workflow_feeds: 'counts events',
};
