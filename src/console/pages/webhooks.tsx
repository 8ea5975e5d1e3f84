import { createWebhookEndpoint, listWebhookEndpoints } from '../../outside/webhooks/webhooks.operations.js';
import { form, type ConsolePage } from '../frame/console-page.js';
import { Act, FoldedAct } from '../parts/act.js';
import { Entry } from '../parts/entry.js';
import { List } from '../parts/list.js';
import { State, To } from '../parts/words.js';
import { choicesOf, namesOf } from './names.js';

export const webhooks: ConsolePage = {
  path: 'webhooks',
  title: 'Webhooks',
  needs: 'webhooks:read',
  forms: [form(createWebhookEndpoint, 'The endpoint was added.', { isSensitive: true })],
  async show(visit) {
    const page = await visit.list(listWebhookEndpoints, []);
    const properties = choicesOf(await namesOf(visit, 'properties'));
    return (
      <>
        <p class="soft">
          Addresses that receive events. <To page="deliveries">All deliveries</To>
        </p>
        <List
          caption="Endpoints"
          page={page}
          empty="No endpoints yet."
          columns={[
            ['Address', ({ id, url }) => <To page={`webhooks/${id}`}>{url}</To>],
            ['State', ({ status }) => <State is={status} />],
            ['Events', ({ eventTypes }) => (eventTypes[0] === '*' ? 'all' : eventTypes.length)],
            ['For', ({ description }) => description ?? '–'],
          ]}
        />
        <FoldedAct does={createWebhookEndpoint} title="Add an endpoint" isOpen={visit.refused !== undefined}>
          <Act does={createWebhookEndpoint} label="Add the endpoint" isPrimary>
            <Entry name="url" label="Address" hint="A public https URL." />
            <Entry name="eventTypes" label="Event types" value="*" hint="Separated by commas; * for all." />
            <Entry name="description" label="Description" />
            <Entry name="propertyIds" label="Only events at" choices={properties} isMany />
          </Act>
        </FoldedAct>
      </>
    );
  },
};
