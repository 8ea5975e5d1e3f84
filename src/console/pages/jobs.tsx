import { cancelModelJob, listModelJobs } from '../../outside/models/model-jobs.operations.js';
import { form, type ConsolePage } from '../frame/console-page.js';
import { Act } from '../parts/act.js';
import { Filters } from '../parts/filters.js';
import { List } from '../parts/list.js';
import { Moment } from '../parts/moment.js';
import { humanized, State } from '../parts/words.js';
import { namesOf } from './names.js';

const filters = ['status', 'operation', 'from', 'to'] as const;

export const jobs: ConsolePage = {
  path: 'jobs',
  title: 'Jobs',
  isLive: true,
  forms: [form(cancelModelJob, 'The job is cancelled.')],
  async show(visit) {
    const [page, members] = await Promise.all([visit.list(listModelJobs, filters), namesOf(visit, 'members')]);
    return (
      <>
        <p class="soft">Texts that the language model was asked to write. A person publishes the drafts.</p>
        <Filters of={listModelJobs} names={filters} />
        <List
          caption="Jobs"
          page={page}
          empty="No jobs match these filters."
          columns={[
            ['When', ({ createdAt }) => <Moment at={createdAt} />],
            ['What', ({ operation }) => humanized(operation)],
            ['State', ({ status }) => <State is={status} />],
            ['For', ({ requestedBy }) => members.get(requestedBy) ?? requestedBy],
            ['Because', ({ error }) => error?.message ?? '–'],
            ['Draft', ({ result }) => (result ? <Draft result={result} /> : '–')],
            [
              '',
              ({ id, finishedAt }) =>
                finishedAt === null && (
                  <div class="acts">
                    <Act does={cancelModelJob} to={{ jobId: id }} label="Cancel" of={id} ask="No draft is written." />
                  </div>
                ),
            ],
          ]}
        />
      </>
    );
  },
};

const Draft = ({ result }: { result: object }) => (
  <details>
    <summary>Draft</summary>
    <pre tabindex={0}>{JSON.stringify(result, null, 2)}</pre>
  </details>
);
