import type { WorkflowSummary } from '../../features/workflows/workflow.dto.js';
import {
  activateWorkflow,
  listWorkflows,
  pauseWorkflow,
  runWorkflow,
} from '../../features/workflows/workflows.operations.js';
import { form, type ConsolePage } from '../frame/console-page.js';
import { Act } from '../parts/act.js';
import { Filters } from '../parts/filters.js';
import { List } from '../parts/list.js';
import { Moment } from '../parts/moment.js';
import { humanized, State, To } from '../parts/words.js';

const filters = ['status', 'triggerKind'] as const;

export const workflows: ConsolePage = {
  path: 'workflows',
  title: 'Workflows',
  needs: 'workflows:read',
  isLive: true,
  forms: [
    form(activateWorkflow, 'The workflow was activated.', { isSensitive: true }),
    form(pauseWorkflow, 'The workflow was paused.'),
    form(runWorkflow, 'The workflow has started. Its run is at the top of the runs.', { isSensitive: true }),
  ],
  async show(visit) {
    return (
      <>
        <p class="soft">
          Automatic actions. <To page="runs">All runs</To>
        </p>
        <Filters of={listWorkflows} names={filters} labels={{ triggerKind: 'Trigger' }} />
        <List
          caption="Workflows"
          page={await visit.list(listWorkflows, filters)}
          empty="No workflows match these filters."
          columns={[
            ['Name', ({ id, name }) => <To page={`runs?workflowId=${id}`}>{name}</To>],
            ['State', (one) => <Condition {...one} />],
            ['Begins with', ({ triggerKind }) => humanized(triggerKind)],
            ['Version', ({ activeVersion, latestVersion }) => `${activeVersion ?? 'none'} of ${latestVersion}`],
            ['Next', ({ nextOccurrenceAt }) => <Moment at={nextOccurrenceAt} />],
            ['', (one) => <Actions {...one} />],
          ]}
        />
      </>
    );
  },
};

const Condition = ({ status, pausedReason }: WorkflowSummary) => (
  <>
    <State is={status} />
    {pausedReason && <small>{pausedReason}</small>}
  </>
);

const Actions = ({ id: workflowId, name, status, triggerKind }: WorkflowSummary) => (
  <div class="acts">
    {status === 'active' && triggerKind === 'manual' && (
      <Act does={runWorkflow} to={{ workflowId }} label="Run" of={name} />
    )}
    {status === 'active' && <Act does={pauseWorkflow} to={{ workflowId }} label="Pause" of={name} />}
    {(status === 'draft' || status === 'paused') && (
      <Act
        does={activateWorkflow}
        to={{ workflowId }}
        label="Activate"
        of={name}
        ask="Its newest version runs automatically from now on."
      />
    )}
  </div>
);
