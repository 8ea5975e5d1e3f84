import {
  cancelWorkflowRun,
  getWorkflowRun,
  listWorkflowRuns,
  retryWorkflowRun,
} from '../../features/workflows/runs/runs.operations.js';
import type { WorkflowRunView } from '../../features/workflows/runs/run.dto.js';
import { listWorkflows } from '../../features/workflows/workflows.operations.js';
import { form, type ConsolePage } from '../frame/console-page.js';
import type { Visit } from '../frame/visit.js';
import { Act } from '../parts/act.js';
import { Filters } from '../parts/filters.js';
import { Facts, List } from '../parts/list.js';
import { Moment } from '../parts/moment.js';
import { humanized, Id, State, To } from '../parts/words.js';

const filters = ['status', 'workflowId', 'reservationId', 'from', 'to'] as const;

const namesOfWorkflows = async ({ ask }: Visit): Promise<ReadonlyMap<string, string>> =>
  new Map((await ask(listWorkflows, { limit: 100 })).items.map(({ id, name }) => [id, name]));

export const runs: ConsolePage = {
  path: 'runs',
  title: 'Runs',
  needs: 'workflows:read',
  isLive: true,
  async show(visit) {
    const [page, names] = await Promise.all([visit.list(listWorkflowRuns, filters), namesOfWorkflows(visit)]);
    return (
      <>
        <Filters
          of={listWorkflowRuns}
          names={filters}
          choices={{ workflowId: [...names] }}
          labels={{ workflowId: 'Workflow', reservationId: 'Reservation id' }}
        />
        <List
          caption="Runs"
          page={page}
          empty="No runs match these filters."
          columns={[
            ['Started', ({ createdAt }) => <Moment at={createdAt} />],
            ['Workflow', ({ id, workflowId }) => <To page={`runs/${id}`}>{names.get(workflowId) ?? workflowId}</To>],
            ['State', ({ status }) => <State is={status} />],
            ['Steps', ({ steps }) => steps.length],
            ['Reason', ({ error }) => error?.message ?? '–'],
            ['Ended', ({ finishedAt }) => <Moment at={finishedAt} />],
          ]}
        />
      </>
    );
  },
};

export const run: ConsolePage = {
  path: 'runs/:runId',
  title: 'Run',
  needs: 'workflows:read',
  isLive: true,
  forms: [
    form(retryWorkflowRun, 'The run continues.', { isSensitive: true }),
    form(cancelWorkflowRun, 'The run was cancelled.'),
  ],
  async show(visit) {
    const runId = visit.params.runId as string;
    const one = await visit.ask(getWorkflowRun, { runId });
    const names = await namesOfWorkflows(visit);
    return (
      <>
        <section class="panel">
          <Facts
            of={{
              Workflow: `${names.get(one.workflowId) ?? one.workflowId}, version ${one.workflowVersion}`,
              State: <State is={one.status} />,
              Because: one.error?.message,
              Began: <Moment at={one.createdAt} />,
              Ended: one.finishedAt && <Moment at={one.finishedAt} />,
              Next: one.dueAt && <Moment at={one.dueAt} />,
              Id: <Id id={one.id} />,
            }}
          />
          <div class="acts">
            {one.status === 'failed' && <Act does={retryWorkflowRun} to={{ runId }} label="Try again" isPrimary />}
            {one.finishedAt === null && (
              <Act does={cancelWorkflowRun} to={{ runId }} label="Cancel" ask="Completed steps are not undone." />
            )}
          </div>
        </section>
        <h2>Timeline</h2>
        <Timeline {...one} />
      </>
    );
  },
};

const Timeline = ({ steps }: WorkflowRunView) => (
  <ol class="timeline">
    {steps.map((step, at) => (
      <li key={at} class={step.status}>
        <strong>{step.stepId}</strong> {humanized(step.kind)} <State is={step.status} />
        <small>
          <Moment at={step.startedAt} />
          {step.finishedAt && (
            <>
              {' – '}
              <Moment at={step.finishedAt} />
            </>
          )}
          {step.attempts > 1 && `, ${step.attempts} attempts`}
        </small>
        {step.error && <p class="problem">{step.error.message}</p>}
        {(step.input ?? step.result) && (
          <details>
            <summary>Input and result of {step.stepId}</summary>
            <pre tabindex={0}>{JSON.stringify({ input: step.input, result: step.result }, null, 2)}</pre>
          </details>
        )}
      </li>
    ))}
  </ol>
);
