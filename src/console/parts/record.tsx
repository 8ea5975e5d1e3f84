import { humanized, Id, To } from './words.js';

/** The pages of single records, by the kind of record. */
const pages: Readonly<Record<string, string>> = {
  connection: 'connections',
  device: 'devices',
  model_job: 'jobs',
  property: 'properties',
  reservation: 'reservations',
  webhook_endpoint: 'webhooks',
  workflow_run: 'runs',
};

/** What an event or a change is about: its page, where it has one. */
export const Record = ({ type, id }: { type: string; id: string }) =>
  type in pages ? (
    <>
      <To page={`${pages[type]}/${id}`}>{humanized(type)}</To>
    </>
  ) : (
    <>
      {humanized(type)} <Id id={id} />
    </>
  );
