import type { ModelJobView } from '../../outside/models/model-job.dto.js';
import { cancelModelJob, getModelJob, listModelJobs } from '../../outside/models/model-jobs.operations.js';
import { form, type ConsolePage } from '../frame/console-page.js';
import { Act } from '../parts/act.js';
import { Diff } from '../parts/diff.js';
import { Filters } from '../parts/filters.js';
import { Facts, List } from '../parts/list.js';
import { Moment } from '../parts/moment.js';
import { humanized, Id, State, To } from '../parts/words.js';
import { namesOf } from './names.js';

const filters = ['status', 'operation', 'from', 'to'] as const;
const cancelling = form(cancelModelJob, 'The job was cancelled.');

export const jobs: ConsolePage = {
  path: 'jobs',
  title: 'Jobs',
  isLive: true,
  forms: [cancelling],
  async show(visit) {
    const [page, members] = await Promise.all([visit.list(listModelJobs, filters), namesOf(visit, 'members')]);
    return (
      <>
        <p class="soft">Drafts that the language model was asked to write. A person publishes them.</p>
        <Filters of={listModelJobs} names={filters} />
        <List
          caption="Jobs"
          page={page}
          empty="No jobs match these filters."
          columns={[
            ['When', ({ createdAt }) => <Moment at={createdAt} />],
            ['What', ({ id, operation }) => <To page={`jobs/${id}`}>{humanized(operation)}</To>],
            ['State', (one) => <Condition {...one} />],
            ['For', ({ requestedBy }) => members.get(requestedBy) ?? requestedBy],
            ['Reason', ({ error }) => error?.message ?? '–'],
            ['', (one) => <Cancel {...one} />],
          ]}
        />
      </>
    );
  },
};

export const job: ConsolePage = {
  path: 'jobs/:jobId',
  title: 'Job',
  isLive: true,
  forms: [cancelling],
  async show(visit) {
    const one = await visit.ask(getModelJob, { jobId: visit.params.jobId as string });
    const members = await namesOf(visit, 'members');
    return (
      <>
        <section class="panel">
          <Facts
            of={{
              What: humanized(one.operation),
              State: <Condition {...one} />,
              Because: one.error?.message,
              For: members.get(one.requestedBy) ?? <Id id={one.requestedBy} />,
              Requested: <Moment at={one.createdAt} />,
              Ended: one.finishedAt && <Moment at={one.finishedAt} />,
              Model: one.usage.model,
              Id: <Id id={one.id} />,
            }}
          />
          <Cancel {...one} />
        </section>
        {one.result && <Result result={one.result} />}
      </>
    );
  },
};

const Condition = ({ status, finishedAt }: ModelJobView) => <State is={status} isMoving={finishedAt === null} />;

const Cancel = ({ id, finishedAt }: ModelJobView) =>
  finishedAt === null ? (
    <div class="acts">
      <Act does={cancelModelJob} to={{ jobId: id }} label="Cancel" of={id} ask="No draft will be saved." />
    </div>
  ) : null;

/** What the kinds of jobs have in common; each has more of its own. */
interface Draft {
  draft?: object;
  diff?: Parameters<typeof Diff>[0]['of'];
  warnings?: readonly string[];
}

const Result = ({ result }: { result: Record<string, unknown> }) => {
  const { draft = {}, diff, warnings = [], ...rest } = result as Draft;
  return (
    <>
      <section class="panel">
        <h2>Result</h2>
        <Facts
          of={Object.fromEntries(Object.entries(rest).map(([name, value]) => [humanized(name), written(value)]))}
        />
        {warnings.map((warning) => (
          <p key={warning} class="notice">
            {warning}
          </p>
        ))}
      </section>
      {diff && (
        <section class="panel">
          <h2>Changes from the previous version</h2>
          {diff.length === 0 ? <p class="soft">No differences.</p> : <Diff of={diff} />}
        </section>
      )}
      {Object.keys(draft).length > 0 && (
        <section class="panel">
          <h2>Draft</h2>
          {Object.entries(draft).map(([name, value]) => (
            <details key={name} open={!diff}>
              <summary>{humanized(name)}</summary>
              <pre tabindex={0}>{written(value)}</pre>
            </details>
          ))}
        </section>
      )}
    </>
  );
};

const written = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));
