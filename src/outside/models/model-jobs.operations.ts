import { one, type Operation, operation, type OperationSpec, page } from '#operations';
import { ListModelJobs, ModelJobView, ThisModelJob } from './model-job.dto.js';
import { modelJobHasEnded, noModelConfigured } from './models.errors.js';

type ModelBackedSpec<In extends object> = Pick<
  OperationSpec<In, ModelJobView>,
  | 'name'
  | 'route'
  | 'scope'
  | 'reach'
  | 'title'
  | 'description'
  | 'askedAs'
  | 'everyday'
  | 'refuses'
  | 'input'
  | 'carriesOut'
>;

const scopes = new Map<string, string>();

/** The scope of each model-backed operation, by its name. */
export const scopesOfModelWork: ReadonlyMap<string, string> = scopes;

/** A model-backed operation: its handler returns a job, `return this.jobs.request(…)`. */
export function modelBacked<In extends object>(spec: ModelBackedSpec<In>): Operation<In, ModelJobView> {
  if (spec.scope) scopes.set(spec.name, spec.scope);
  return operation<In, ModelJobView>({
    ...spec,
    refuses: [noModelConfigured, ...(spec.refuses ?? [])],
    effect: 'write',
    output: one(ModelJobView),
    status: 202,
    modelBacked: true,
    follow: ({ id, finishedAt }) => (finishedAt === null ? `/model-jobs/${id}` : undefined),
  });
}

/** No scope of its own is required, because each shows only the jobs of operations whose scope the credential has. */
export const listModelJobs = operation({
  name: 'listModelJobs',
  route: 'GET /model-jobs',
  effect: 'read',
  reach: 'property',
  title: 'List model jobs',
  description: 'Lists the jobs of language models for operations that this credential may use, newest first.',
  askedAs: 'AI drafts that are being generated',
  input: ListModelJobs,
  output: page(ModelJobView),
});

export const getModelJob = operation({
  name: 'getModelJob',
  route: 'GET /model-jobs/{jobId}',
  effect: 'read',
  reach: 'property',
  title: 'Get a model job',
  description:
    "Returns the job's progress and result: a draft, a new version that is not live, or the error if the job failed.",
  askedAs: 'is the AI draft finished',
  everyday: true,
  input: ThisModelJob,
  output: one(ModelJobView),
});

export const cancelModelJob = operation({
  name: 'cancelModelJob',
  route: 'POST /model-jobs/{jobId}/cancel',
  effect: 'write',
  reach: 'property',
  title: 'Cancel a model job',
  description: 'Cancels a queued or running job. Nothing is saved.',
  askedAs: 'abort an AI draft',
  refuses: [modelJobHasEnded],
  input: ThisModelJob,
  output: one(ModelJobView),
});
