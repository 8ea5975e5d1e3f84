import { type Mutant, mutantsOf, suite } from './mutant.js';

const scopes = (only: string) => suite('integration/events/event-scopes', only);
const runs = suite('integration/workflows/runs', 'an event that the member may no longer read');

const jobs = (only: string) => suite('integration/models/model-jobs', only);
const endpoints = (only: string) => suite('integration/events/endpoint-permissions', only);
const standing = suite('integration/auth/standing-callers');

/** Events are shown to those who may read their subject, and later work acts for those who still may. */
export const readers: Mutant[] = [
  ...mutantsOf('src/platform/events/events.repository.ts', scopes('is shown to those who may read its subject'), {
    'the feed shows every type of event': "      .when(readable.types, 'e.type = any(?)')\n",
    'every job of a model is shown': [
      "where.and('(e.type <> all(?) or e.data ->> ? = any(?))', types, field, values);",
      'void [types, field, values];',
    ],
  }),
  ...mutantsOf('src/platform/events/event-feed.service.ts', scopes('is rejected as a filter'), {
    'a filter of listEvents names types that may not be read': ['refuseUnreadable(caller, filters.types ?? []);', ''],
  }),
  ...mutantsOf('src/platform/events/event-feed.service.ts', scopes('a stream'), {
    'a filter of a stream names types that may not be read': ['refuseUnreadable(caller, input.types ?? []);', ''],
  }),
  ...mutantsOf('src/edge/answers/record-streams.ts', scopes('ends soon after'), {
    'a stream continues with permissions that have ended': ['[...(caller?.permissions ?? [])].sort()', 'null'],
  }),
  ...mutantsOf('src/features/workflows/runs/run-steps.service.ts', runs, {
    'a run acts on an event that its member may not read': [
      '    if (refused) return await this.progress.fail(turn.claim, step, refused);\n    switch',
      '    switch',
    ],
  }),
  ...mutantsOf('src/features/workflows/runs/runs.service.ts', runs, {
    'a run shows an event to those who may not read it': [
      'if (!event || mayReadEvent(event, permissions)) return run;',
      'if (!event || permissions) return run;',
    ],
  }),
  ...mutantsOf(
    'src/features/workflows/definition-permissions.ts',
    suite('integration/workflows/definitions', 'are required of the person who writes a step'),
    {
      'a workflow waits for events that its member may not read': [
        "missingFor(trigger.kind === 'event' ? [trigger.eventType] : [], permissions)",
        'missingFor([], permissions)',
      ],
    },
  ),
  ...mutantsOf('src/outside/models/model-job-runner.ts', jobs('saves nothing if'), {
    'a draft is saved for a credential that has ended': [
      'const caller = await this.callerOf(current, kind);',
      'const caller = callerFrom(current.orgId, current.caller);',
    ],
  }),
  ...mutantsOf('src/outside/models/model-job-runner.ts', suite('integration/templates/writing', 'saves nothing if'), {
    'a draft is saved for a caller who is limited by then': ' || !isWithinReach(now, operation)',
  }),
  ...mutantsOf('src/outside/models/model-job-runner.ts', jobs('asks no model'), {
    'a model is asked for a credential that has ended': [
      'await this.callerOf(job, kind),\n',
      'callerFrom(job.orgId, job.caller),\n',
    ],
  }),
  ...mutantsOf('src/tenancy/members/standing-callers.ts', jobs('saves nothing if'), {
    'a draft is saved at a property out of sight': [
      'propertyId && now.propertyIds && !now.propertyIds.includes(propertyId) ? undefined : now',
      'propertyId ? now : now',
    ],
  }),
  ...mutantsOf('src/tenancy/members/standing-callers.ts', standing, {
    'a revoked or replaced approval counts later': ' and g.revoked_at is null',
    'an expired key counts later': ' and (expires_at is null or expires_at > $5)',
    'a suspended member counts later': " and m.status = 'active'",
    'a missing second factor counts later': ['not (o.require_two_factor and', 'not (false and'],
    'a role that shrank counts later': ['scopes.filter((scope) => live.has(scope))', 'scopes'],
    'a limit to properties is forgotten later': [
      'left.limits.reduce(bothOf, caller.propertyIds)',
      'caller.propertyIds',
    ],
  }),
  ...mutantsOf(
    'src/features/devices/commands/command-steps.service.ts',
    suite('integration/devices/command-turns', 'that wait are rejected if the key'),
    {
      'a command that waited is sent for a key that has ended': [
        '(await this.lossOf(caller, command)) ?? refusalOf',
        '((await this.lossOf(caller, command)) && undefined) ?? refusalOf',
      ],
    },
  ),
  ...mutantsOf(
    'src/outside/webhooks/webhook-endpoints.service.ts',
    endpoints('needs the permissions of its|cannot be redirected'),
    {
      'an endpoint subscribes to what its maker may not read': '    refuseUnreadable(caller, types);\n',
      'an endpoint is led elsewhere by those who may not read its events': [
        '...(!isOnlyDisabled && this.bindingOf(',
        '...(!isOnlyDisabled && input.eventTypes && this.bindingOf(',
      ],
    },
  ),
  ...mutantsOf('src/outside/webhooks/webhook-endpoints.service.ts', endpoints('of a creator who'), {
    'an endpoint of another maker is changed by those who may read less':
      '    if (!isOnlyDisabled) await this.refuseTakeOver(caller, endpoint);\n',
    'an endpoint of another maker is tested by those who may read less': [
      '    await this.refuseTakeOver(caller, endpoint);\n    if (endpoint.status',
      '    if (endpoint.status',
    ],
    'the secret of another maker’s endpoint is rotated by those who may read less': [
      '    await this.refuseTakeOver(caller, endpoint);\n    const secret',
      '    const secret',
    ],
    'what a maker was given later does not count': ', ...scopesFor(endpoint.eventTypes, permitted)',
    'what a maker has lost does not count': '...endpoint.scopes, ',
    'makers cannot change what they made': 'if (isMadeBy(caller, endpoint)) return;',
  }),
  ...mutantsOf('src/outside/webhooks/maker-permissions.ts', endpoints('of a creator who'), {
    'another key of the member is its maker': [' && makerKeyId === endpoint.makerKeyId', ''],
  }),
  ...mutantsOf('src/outside/webhooks/endpoint-permissions.repository.ts', endpoints('an endpoint from before'), {
    'the secret of an endpoint without a maker is anybody’s': [
      '(row?.permitted as string[] | null) ?? permissionNames',
      '(row?.permitted as string[] | null) ?? []',
    ],
  }),
  ...mutantsOf('src/outside/webhooks/webhook-deliveries.service.ts', endpoints('replays nothing'), {
    'a replay says whether an event exists': ['this.events.isReadable(', 'this.events.positionOf('],
    'a replay counts what the maker of an endpoint may not read': ['{ ...input, readable }', 'input'],
  }),
  ...mutantsOf('src/doors/mcp/tools.service.ts', suite('integration/mcp/tools-list', 'for a limited caller'), {
    'tools of the whole organization are listed for callers of some properties': ' && isWithinReach(caller, operation)',
    'one list of tools for callers of some and of all properties': [' ${reach}', ''],
  }),
  ...mutantsOf('src/outside/webhooks/endpoint-turn.ts', endpoints('creator loses a permission|requests everything'), {
    'an event is sent for a maker who may not read it': [' && mayReadEvent(event, permissions)', ''],
    'an event is sent for a maker who may not look there': ['seesPlace && mayReadEvent', 'mayReadEvent'],
  }),
  ...mutantsOf('src/outside/webhooks/maker-permissions.ts', endpoints('creator loses a permission'), {
    'a revoked key is still sent events': [
      'where revoked_at is null and (expires_at is null or expires_at > ${now})',
      'where (expires_at is null or expires_at > ${now})',
    ],
    'a suspended member is still sent events': " and m.status = 'active'",
    'a role that shrank is still sent events': [
      'array(select unnest(g.scopes) intersect select unnest(role.permits))',
      'g.scopes',
    ],
    'an endpoint stops when its key is rotated': [
      'select n.* from line l join api_keys n on n.org_id = l.org_id and n.id = l.successor_id',
      'select n.* from line l join api_keys n on n.org_id = l.org_id and n.id = l.successor_id and false',
    ],
  }),
  ...mutantsOf('src/outside/webhooks/endpoint-permissions.service.ts', endpoints('creator loses a permission'), {
    'owners get no letter about an endpoint': 'await this.notifyOwners(endpoint)',
    'an endpoint is degraded without an event': ['if (had.length === 0) return endpointDegraded;', ''],
  }),
  ...mutantsOf('src/outside/webhooks/webhook-deliveries.repository.ts', endpoints('the delivery log'), {
    'what was sent of other properties is shown': ['e.property_id = any(?::uuid[])', '?::uuid[] is not null'],
    'a test is hidden from callers of some properties': ['e.type = ? or', '? is null or'],
    'the log shows events to those who may not read them': [
      '!permissions || mayReadEvent(event, permissions)',
      '!permissions || mayReadEvent(event, permissions) || true',
    ],
  }),
];
