import { memberOf } from '../../../support/behind-the-api.js';
import { another, deleting, made, patching, posting, type Scenes, world } from './world.js';

const template = (): Promise<string> => made('/email-templates', { name: 'Welcome', subject: 'Hi', body: '<p>Hi</p>' });

const ofTemplate = (path: string) => (id: string) => `/email-templates/${id}${path}`;

/** A template whose second version is published. */
const republished = async (): Promise<string> => {
  const id = await template();
  await world.api.post(`/email-templates/${id}/publish`);
  await world.api.patch(`/email-templates/${id}`, { subject: 'Hello' });
  await world.api.post(`/email-templates/${id}/publish`);
  return id;
};

const suppression = (): Promise<string> => made('/suppressions', { email: `no-${another()}@tests.example` });

export const letters: Scenes = {
  saveEmailTemplate: [
    ['email_template.created'],
    () =>
      Promise.resolve(() => world.api.post('/email-templates', { name: 'Welcome', subject: 'Hi', body: '<p>Hi</p>' })),
  ],
  updateEmailTemplate: [['email_template.updated'], patching(template, ofTemplate(''), { subject: 'Hello' })],
  publishEmailTemplate: [['email_template.published'], posting(template, ofTemplate('/publish'))],
  rollBackEmailTemplate: [['email_template.rolled_back'], posting(republished, ofTemplate('/roll-back'))],
  archiveEmailTemplate: [['email_template.archived'], posting(template, ofTemplate('/archive'))],
  sendTestEmail: [
    ['message.queued'],
    async () => {
      const [id, memberId] = [await template(), await memberOf(world.service, { email: 'tester@tests.example' })];
      return () => world.api.post(`/email-templates/${id}/test-send`, { memberId });
    },
  ],
  addSuppression: [
    ['suppression.added'],
    () => {
      const email = `quiet-${another()}@tests.example`;
      return Promise.resolve(() => world.api.post('/suppressions', { email }));
    },
  ],
  removeSuppression: [['suppression.removed'], deleting(suppression, (id) => `/suppressions/${id}`)],
};
