import { type Mutant, mutantsOf, suite } from './mutant.js';

const workflows = 'src/features/workflows/workflows.service.ts';
const definitions = 'src/features/workflows/definition-checks.service.ts';
const guides = 'src/features/guides/guides.service.ts';
const templates = 'src/features/templates/templates.service.ts';

/** What is published, and who is responsible for it. */
export const publishing: Mutant[] = [
  ...mutantsOf(workflows, 'integration/workflows/definitions', {
    'a workflow is activated with whatever is wrong': [
      'const issues = await this.checks.activationIssues(caller.orgId, definitionOf(shown));',
      'const issues: Issue[] = [];',
    ],
    'a workflow that is not active runs by hand': ["if (status !== 'active') throw workflowIsNotActive(status);", ''],
    'an archived workflow is changed': "if (workflow.status === 'archived' && !archived) throw workflowIsArchived();",
  }),
  ...mutantsOf(definitions, 'integration/workflows/definitions', {
    'whoever writes a step may do what it does': "      ...this.permissionIssues(definition, 'writer', caller),\n",
    'the member that a workflow runs as may do it':
      "      ...(member ? this.permissionIssues(definition, 'member', member) : []),\n",
    'templates that are not published are sent': '      ...(await this.unpublishedIssues(orgId, definition)),\n',
    'what is not permitted any more is activated': [
      "? this.permissionIssues(definition, 'member', member) : [noMember]",
      '? [] : [noMember]',
    ],
    'steps name what is not there': ['.filter(({ id }) => unknown.has(id))', '.filter(() => false)'],
  }),
  ...mutantsOf('src/features/workflows/definition-permissions.ts', 'integration/workflows/definitions', {
    'a workflow runs as a member who may do more': ['if (beyond.length === 0) return [];', 'return [];'],
  }),
  ...mutantsOf('src/features/workflows/runs/run-caller.ts', suite('integration/workflows/runs', 'fail its next step'), {
    'a run may do what its member may not any more': [
      'const permissions = member?.permissions ?? new Set<string>();',
      "const permissions = member?.permissions ?? new Set(['tasks:write', 'messages:send']);",
    ],
  }),
  ...mutantsOf(
    'src/features/workflows/runs/run-steps.service.ts',
    suite('integration/workflows/runs', 'fail its next step'),
    {
      'a message is sent without the permission': 'if (caller.permissions.has(permission)) return undefined;',
    },
  ),
  ...mutantsOf(
    'src/features/workflows/runs/runs.repository.ts',
    suite('integration/workflows/runs', 'over rest a waiting run'),
    { 'a run that is not due is claimed': ["      due: 'due_at',", "      due: 'created_at',"] },
  ),
  ...mutantsOf(
    'src/features/workflows/runs/runs.service.ts',
    suite('integration/workflows/runs', 'run of an archived workflow'),
    {
      'a run of an archived workflow is retried': "if (workflow?.status === 'archived') throw workflowIsArchived();",
    },
  ),
  ...mutantsOf('src/features/workflows/runs/runs.service.ts', suite('integration/workflows/nodes', 'being archived'), {
    'a run is retried while its workflow is archived': ["workflowId, 'for share')", 'workflowId)'],
  }),
  ...mutantsOf(
    'src/features/workflows/stay-facts.repository.ts',
    suite('integration/workflows/runs', 'finds no stay'),
    {
      'a run knows stays at any property': [
        'uuidIn(reservationId), propertyIds && propertyIds.map(uuidIn)]',
        'uuidIn(reservationId), null]',
      ],
    },
  ),
  ...mutantsOf(
    'src/features/workflows/stay-facts.repository.ts',
    suite('integration/workflows/definitions', 'evaluates stays'),
    {
      'a workflow is tried on stays at any property': ['        propertyIds && propertyIds.map(uuidIn),', 'null,'],
    },
  ),
  ...mutantsOf(
    'src/features/workflows/triggers/event-triggers.service.ts',
    suite('integration/workflows/triggers', 'is only for events'),
    {
      'what happened before a workflow was activated runs it': [
        ' && event.occurredAt >= (workflow.activatedAt as string)',
        '',
      ],
    },
  ),
  ...mutantsOf(
    'src/features/workflows/triggers/event-triggers.service.ts',
    suite('integration/workflows/triggers', 'loop guard'),
    {
      'a workflow is run by what it has caused': ' || chain.includes(workflow.id)',
    },
  ),
  ...mutantsOf(guides, 'integration/guides/guides', {
    'an archived guide is changed': "if (guide.status === 'archived') throw guideIsArchived();",
    'an address that is known is changed':
      'if (given.slug !== undefined && given.slug !== guide.slug && guide.publishedAt) throw slugIsFixed();',
  }),
  ...mutantsOf('src/features/guides/public/publications.ts', 'integration/guides/guides', {
    'guides go out untranslated': ['if (missing.length > 0 && !force)', 'if (false)'],
    'staff’s sections go out': [".filter(({ audience }) => audience === 'guest')", ''],
    'places go out unapproved': [".filter(({ status }) => status === 'approved')", ''],
  }),
  ...mutantsOf('src/features/guides/public/public-guides.repository.ts', 'integration/guides/public-page', {
    'guides of an organization that is not active': " and o.status = 'active'",
  }),
  ...mutantsOf(templates, 'integration/templates/templates', {
    'a template with errors is published': 'if (errors.length > 0) throw templateHasErrors(errors);',
    'an archived template is changed': "if (template.status === 'archived' && !archived) throw templateIsArchived();",
    'a template is rolled back to a later version': [
      'if (templateVersion !== undefined && templateVersion >= publishedVersion)',
      'if (false)',
    ],
  }),
  ...mutantsOf('src/outside/messages/suppressions.service.ts', 'integration/messages/messages', {
    'whoever wants no messages gets them': [
      "return found !== undefined && (found.covers === 'all' || marketing);",
      'return false;',
    ],
    'who wants no marketing gets no message': [" && (found.covers === 'all' || marketing)", ''],
  }),
  ...mutantsOf(
    'src/outside/messages/recipients.repository.ts',
    suite('integration/messages/messages', 'is to guests there'),
    {
      'messages to guests of any property': [
        'uuidIn(guestId), propertyIds && propertyIds.map(uuidIn)]',
        'uuidIn(guestId), null]',
      ],
      'messages about stays at any property': [
        'uuidIn(reservationId), propertyIds && propertyIds.map(uuidIn)]',
        'uuidIn(reservationId), null]',
      ],
    },
  ),
  ...mutantsOf('src/outside/messages/unsubscribe/unsubscribe-links.ts', 'integration/messages/messages', {
    'a link is good for another organization': ' ${orgId}',
  }),
];
