import { type Mutant, mutantsOf, suite } from './mutant.js';

const scopes = (only: string) => suite('integration/events/event-scopes.slow', only);
const runs = suite('integration/workflows/runs.slow', 'an event that the member may no longer read');

const jobs = (only: string) => suite('integration/models/model-jobs.slow', only);
const endpoints = (only: string) => suite('integration/events/endpoint-permissions.slow', only);
const standing = suite('integration/auth/standing-callers');

/** Events are shown to those who may read their subject, and later work acts for those who still may. */
export const readers: Mutant[] = [
  ...mutantsOf('src/platform/events/events.repository.ts', scopes('is shown to those who may read its subject'), {
    'the feed shows events of every type': "    .when(readable.types, 'e.type = any(?)')\n",
    'the events of every model job are shown': [
      "where.and('(e.type <> all(?) or e.data ->> ? = any(?))', types, field, values);",
      'void [types, field, values];',
    ],
  }),
  ...mutantsOf('src/platform/events/event-feed.service.ts', scopes('is rejected as a filter'), {
    'a filter of listEvents accepts types that the caller may not read': [
      'refuseUnreadable(caller, filters.types ?? []);',
      '',
    ],
  }),
  ...mutantsOf('src/platform/events/event-feed.service.ts', scopes('a stream'), {
    'a filter of a stream accepts types that the caller may not read': [
      'refuseUnreadable(caller, input.types ?? []);',
      '',
    ],
  }),
  ...mutantsOf('src/edge/answers/record-streams.ts', scopes('ends soon after'), {
    'a stream continues after its permissions are revoked': ['[...(caller?.permissions ?? [])].sort()', 'null'],
  }),
  ...mutantsOf('src/features/workflows/runs/run-steps.service.ts', runs, {
    'a run continues with an event that its member may no longer read': [
      '    if (refused) return await this.progress.fail(turn.claim, step, refused);\n    switch',
      '    switch',
    ],
  }),
  ...mutantsOf('src/features/workflows/runs/shown-runs.service.ts', runs, {
    'a run shows its event to callers who may not read it': [
      'if (!event || mayReadEvent(event, permissions)) return run;',
      'if (!event || permissions) return run;',
    ],
  }),
  ...mutantsOf(
    'src/features/workflows/definition-permissions.ts',
    suite('integration/workflows/definitions.slow', 'are required of the person who writes a step'),
    {
      'a workflow is saved for events that its member may not read': [
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
  ...mutantsOf(
    'src/outside/models/model-job-runner.ts',
    suite('integration/templates/writing.slow', 'saves nothing if'),
    {
      'a draft is saved for a caller who has since been limited': ' || !isWithinReach(now, operation)',
    },
  ),
  ...mutantsOf('src/outside/models/model-job-runner.ts', jobs('asks no model'), {
    'a model is asked for a credential that has ended': [
      'await this.callerOf(job, kind),\n',
      'callerFrom(job.orgId, job.caller),\n',
    ],
  }),
  ...mutantsOf('src/tenancy/members/standing-callers.ts', jobs('saves nothing if'), {
    'a draft is saved at a property that the caller no longer sees': [
      'propertyId && now.propertyIds && !now.propertyIds.includes(propertyId) ? undefined : now',
      'propertyId ? now : now',
    ],
  }),
  ...mutantsOf('src/tenancy/members/standing-callers.ts', standing, {
    'background work uses a revoked or replaced approval': ' and g.revoked_at is null',
    'background work uses an expired key': ' and (expires_at is null or expires_at > $5)',
    'background work acts for a suspended member': " and m.status = 'active'",
    'background work ignores a missing second factor': ['not (o.require_two_factor and', 'not (false and'],
    'background work keeps permissions that the role has lost': ['scopes.filter((scope) => live.has(scope))', 'scopes'],
    'background work ignores a later limit to properties': [
      'left.limits.reduce(bothOf, caller.propertyIds)',
      'caller.propertyIds',
    ],
  }),
  ...mutantsOf(
    'src/features/devices/commands/command-steps.service.ts',
    suite('integration/devices/command-turns.slow', 'that wait are rejected if the key'),
    {
      'a waiting command is sent although its key has ended': [
        '(await this.lossOf(caller, command)) ?? refusalOf',
        '((await this.lossOf(caller, command)) && undefined) ?? refusalOf',
      ],
    },
  ),
  ...mutantsOf(
    'src/outside/webhooks/webhook-endpoints.service.ts',
    endpoints('needs the permissions of its|cannot be redirected'),
    {
      'an endpoint subscribes to events that its creator may not read': '    refuseUnreadable(caller, types);\n',
      'an endpoint is redirected by callers who may not read its events': [
        '...(!isOnlyDisabled && this.bindingOf(',
        '...(!isOnlyDisabled && input.eventTypes && this.bindingOf(',
      ],
    },
  ),
  ...mutantsOf('src/outside/webhooks/webhook-endpoints.service.ts', endpoints('of a creator who'), {
    'another creator’s endpoint is changed by callers who may read less':
      '    if (!isOnlyDisabled) await this.refuseTakeOver(caller, endpoint);\n',
    'another creator’s endpoint is tested by callers who may read less': [
      '    await this.refuseTakeOver(caller, endpoint);\n    if (endpoint.status',
      '    if (endpoint.status',
    ],
    'the secret of another creator’s endpoint is rotated by callers who may read less': [
      '    await this.refuseTakeOver(caller, endpoint);\n    const secret',
      '    const secret',
    ],
    'permissions that a creator gained later do not count': ', ...scopesFor(endpoint.eventTypes, permitted)',
    'permissions that a creator has lost do not count': '...endpoint.scopes, ',
    'creators cannot change their own endpoints': 'if (isMadeBy(caller, endpoint)) return;',
  }),
  ...mutantsOf('src/outside/webhooks/maker-permissions.ts', endpoints('of a creator who'), {
    'another key of the member counts as the creator': [' && makerKeyId === endpoint.makerKeyId', ''],
  }),
  ...mutantsOf('src/outside/webhooks/endpoint-permissions.repository.ts', endpoints('an endpoint from before'), {
    'anyone rotates the secret of an endpoint without a creator': [
      '(row?.permitted as string[] | null) ?? permissionNames',
      '(row?.permitted as string[] | null) ?? []',
    ],
  }),
  ...mutantsOf('src/outside/webhooks/webhook-deliveries.service.ts', endpoints('replays nothing'), {
    'a replay reveals whether an event exists': ['this.events.isReadable(', 'this.events.positionOf('],
    'a replay counts events that the endpoint’s creator may not read': ['{ ...input, readable }', 'input'],
  }),
  ...mutantsOf('src/doors/mcp/tools.service.ts', suite('integration/mcp/tools-list', 'for a limited caller'), {
    'tools for the whole organization are listed for limited callers': ' && isWithinReach(caller, operation)',
    'limited and unlimited callers share one list of tools': [' ${reach}', ''],
  }),
  ...mutantsOf('src/outside/webhooks/endpoint-turn.ts', endpoints('creator loses a permission|requests everything'), {
    'an event is sent although the creator may not read it': [' && mayReadEvent(event, permissions)', ''],
    'an event is sent although the creator does not see its property': ['seesPlace && mayReadEvent', 'mayReadEvent'],
  }),
  ...mutantsOf('src/outside/webhooks/maker-permissions.ts', endpoints('creator loses a permission'), {
    'events are sent for a revoked key': [
      'where revoked_at is null and (expires_at is null or expires_at > ${now})',
      'where (expires_at is null or expires_at > ${now})',
    ],
    'events are sent for a suspended member': " and m.status = 'active'",
    'events are sent for permissions that the role has lost': [
      'array(select unnest(g.scopes) intersect select unnest(role.permits))',
      'g.scopes',
    ],
    'an endpoint gets no events after its key is rotated': [
      'select n.* from line l join api_keys n on n.org_id = l.org_id and n.id = l.successor_id',
      'select n.* from line l join api_keys n on n.org_id = l.org_id and n.id = l.successor_id and false',
    ],
  }),
  ...mutantsOf('src/outside/webhooks/endpoint-permissions.service.ts', endpoints('creator loses a permission'), {
    'owners get no letter about a degraded endpoint': 'await this.notifyOwners(endpoint)',
    'an endpoint is degraded without an event': ['if (had.length === 0) return endpointDegraded;', ''],
  }),
  ...mutantsOf('src/outside/webhooks/webhook-deliveries.repository.ts', endpoints('the delivery log'), {
    'the log shows deliveries about other properties': ['e.property_id = any(?::uuid[])', '?::uuid[] is not null'],
    'the log hides tests from limited callers': ['e.type = ? or', '? is null or'],
    'the log shows events to callers who may not read them': [
      '!permissions || mayReadEvent(event, permissions)',
      '!permissions || mayReadEvent(event, permissions) || true',
    ],
  }),
];
