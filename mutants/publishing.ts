import { type Mutant, mutantsOf, suite } from './mutant.js';

const workflows = 'src/features/workflows/workflows.service.ts';
const definitions = 'src/features/workflows/definition-checks.service.ts';
const guides = 'src/features/guides/guides.service.ts';
const templates = 'src/features/templates/templates.service.ts';

/** What is published, and who is responsible for it. */
export const publishing: Mutant[] = [
  ...mutantsOf(workflows, 'integration/workflows/definitions.slow', {
    'an invalid workflow is activated': [
      'const issues = await this.checks.activationIssues(caller.orgId, definitionOf(shown));',
      'const issues: Issue[] = [];',
    ],
    'an inactive workflow can be run by hand': ["if (status !== 'active') throw workflowIsNotActive(status);", ''],
    'an archived workflow is changed': "if (workflow.status === 'archived' && !archived) throw workflowIsArchived();",
  }),
  ...mutantsOf(definitions, 'integration/workflows/definitions.slow', {
    'a step does what its author may not do': "      ...this.permissionIssues(definition, 'writer', caller),\n",
    'a step does what the workflow’s member may not do':
      "      ...(member ? this.permissionIssues(definition, 'member', member) : []),\n",
    'unpublished templates are sent': '      ...(await this.unpublishedIssues(orgId, definition)),\n',
    'a workflow is activated that is no longer permitted': [
      "? this.permissionIssues(definition, 'member', member) : [noMember]",
      '? [] : [noMember]',
    ],
    'steps refer to missing records': ['.filter(({ id }) => unknown.has(id))', '.filter(() => false)'],
  }),
  ...mutantsOf('src/features/workflows/step-secrets.service.ts', suite('integration/workflows/secrets', 'over rest'), {
    'a mask stands for the secret of another operation': [
      "earlier?.kind !== 'operation' || earlier.operation !== step.operation",
      "earlier?.kind !== 'operation'",
    ],
    'a run shows the secrets of its steps': [
      'return handled ? withoutSecrets(handled.operation.input, input, this.find) : input;',
      'return input;',
    ],
  }),
  ...mutantsOf('src/features/workflows/definition-permissions.ts', 'integration/workflows/definitions.slow', {
    'a workflow runs as a member with more permissions than its author': [
      'if (beyond.length === 0) return [];',
      'return [];',
    ],
  }),
  ...mutantsOf(
    'src/features/workflows/runs/run-caller.ts',
    suite('integration/workflows/runs.slow', 'fail its next step'),
    {
      'a run does what its member may no longer do': [
        'const permissions = member?.permissions ?? new Set<string>();',
        "const permissions = member?.permissions ?? new Set(['tasks:write', 'messages:send']);",
      ],
    },
  ),
  ...mutantsOf(
    'src/features/workflows/runs/run-steps.service.ts',
    suite('integration/workflows/runs.slow', 'fail its next step'),
    {
      'a message is sent without the permission': 'if (caller.permissions.has(permission)) return undefined;',
    },
  ),
  ...mutantsOf(
    'src/features/workflows/runs/runs.repository.ts',
    suite('integration/workflows/runs.slow', 'over rest a waiting run'),
    { 'a run that is not due is claimed': ["      due: 'due_at',", "      due: 'created_at',"] },
  ),
  ...mutantsOf(
    'src/features/workflows/runs/runs.service.ts',
    suite('integration/workflows/runs.slow', 'run of an archived workflow'),
    {
      'a failed run of an archived workflow is retried':
        "if (workflow?.status === 'archived') throw workflowIsArchived();",
    },
  ),
  ...mutantsOf(
    'src/features/workflows/runs/runs.service.ts',
    suite('integration/workflows/nodes.slow', 'being archived'),
    {
      'a run is retried while its workflow is being archived': ["workflowId, 'for share')", 'workflowId)'],
    },
  ),
  ...mutantsOf(
    'src/features/workflows/stay-facts.repository.ts',
    suite('integration/workflows/runs.slow', 'finds no stay'),
    {
      'a run finds stays at hidden properties': [
        'uuidIn(reservationId), propertyIds && propertyIds.map(uuidIn)]',
        'uuidIn(reservationId), null]',
      ],
    },
  ),
  ...mutantsOf(
    'src/features/workflows/stay-facts.repository.ts',
    suite('integration/workflows/definitions.slow', 'evaluates stays'),
    {
      'a dry run finds stays at hidden properties': ['        propertyIds && propertyIds.map(uuidIn),', 'null,'],
    },
  ),
  ...mutantsOf(
    'src/features/workflows/triggers/event-triggers.service.ts',
    suite('integration/workflows/triggers.slow', 'is only for events'),
    {
      'an event before its activation runs a workflow': [
        ' && event.occurredAt >= (workflow.activatedAt as string)',
        '',
      ],
    },
  ),
  ...mutantsOf(
    'src/features/workflows/triggers/event-triggers.service.ts',
    suite('integration/workflows/triggers.slow', 'loop guard'),
    {
      'a workflow is run by its own effects': ' || chain.includes(workflow.id)',
    },
  ),
  ...mutantsOf(guides, 'integration/guides/guides', {
    'an archived guide is changed': "if (guide.status === 'archived') throw guideIsArchived();",
    'the address of a published guide is changed':
      'if (given.slug !== undefined && given.slug !== guide.slug && guide.publishedAt) throw slugIsFixed();',
  }),
  ...mutantsOf('src/features/guides/public/publications.ts', 'integration/guides/guides', {
    'guides are published without translations': ['if (missing.length > 0 && !force)', 'if (false)'],
    'sections for staff are published': [".filter(({ audience }) => audience === 'guest')", ''],
    'unapproved places are published': [".filter(({ status }) => status === 'approved')", ''],
  }),
  ...mutantsOf('src/features/guides/public/public-guides.repository.ts', 'integration/guides/public-page', {
    'guides of an inactive organization are shown': " and o.status = 'active'",
  }),
  ...mutantsOf(templates, 'integration/templates/templates.slow', {
    'a template with errors is published': 'if (errors.length > 0) throw templateHasErrors(errors);',
    'an archived template is changed': "if (template.status === 'archived' && !archived) throw templateIsArchived();",
    'a template is rolled back to a later version': [
      'if (templateVersion !== undefined && templateVersion >= publishedVersion)',
      'if (false)',
    ],
  }),
  ...mutantsOf('src/outside/messages/suppressions.service.ts', 'integration/messages/messages.slow', {
    'people who unsubscribed get messages': [
      "return found !== undefined && (found.covers === 'all' || marketing);",
      'return false;',
    ],
    'people who declined marketing get no messages at all': [" && (found.covers === 'all' || marketing)", ''],
  }),
  ...mutantsOf(
    'src/outside/messages/recipients.repository.ts',
    suite('integration/messages/messages.slow', 'is to guests there'),
    {
      'messages go to guests of hidden properties': [
        'uuidIn(guestId), propertyIds && propertyIds.map(uuidIn)]',
        'uuidIn(guestId), null]',
      ],
      'messages refer to stays at hidden properties': [
        'uuidIn(reservationId), propertyIds && propertyIds.map(uuidIn)]',
        'uuidIn(reservationId), null]',
      ],
    },
  ),
  ...mutantsOf('src/outside/messages/unsubscribe/unsubscribe-links.ts', 'integration/messages/messages.slow', {
    'an unsubscribe link works for another organization': ' ${orgId}',
  }),
];
