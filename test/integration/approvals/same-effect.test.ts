import { doors, doorNames } from '../../support/doors.js';
import { ApprovalWorld } from './approval-world.js';

let world: ApprovalWorld;
beforeAll(async () => {
  world = await ApprovalWorld.start();
});
afterAll(() => world.tenant.close());

/** A record that does not exist: a forbidden request is refused before anything is looked up. */
const some = (prefix: string): string => `${prefix}_${'0'.repeat(31)}1`;

const block = { propertyId: some('property'), blockId: some('block') };
const newBlock = { propertyId: some('property'), unitId: some('unit'), from: '2031-01-04', kind: 'out_of_order' };

const stay = { reservationId: some('reservation') };
const saved = { connectionId: some('connection'), externalId: '1' };
const code = { accessCodeId: some('code') };
const template = { templateId: some('template') };
const guide = { guideId: some('guide') };
const instruction = 'Thank the guests for their stay.';
const endpoint = { endpointId: some('endpoint') };

describe.each(doorNames)('a rule that forbids an operation also forbids, over %s,', (door) => {
  it.each<[string, string, string, object]>([
    ['a forced block', 'unassignUnit', 'createUnitBlock', { ...newBlock, force: true }],
    ['a forced change of a block', 'unassignUnit', 'updateUnitBlock', { ...block, until: '2031-01-09', force: true }],
    ['a block that begins later', 'endUnitBlock', 'updateUnitBlock', { ...block, from: '2031-01-04' }],
    ['a block that blocks no more', 'endUnitBlock', 'updateUnitBlock', { ...block, kind: 'out_of_service' }],
    ['a block of other nights', 'createUnitBlock', 'updateUnitBlock', { ...block, until: '2031-01-09' }],
    ['the status after a block', 'setUnitStatus', 'createUnitBlock', { ...newBlock, returnStatus: 'clean' }],
    ['another status after a block', 'setPropertyStatus', 'updateUnitBlock', { ...block, returnStatus: 'clean' }],
    [
      'assigning a unit, to which guests in house move',
      'moveReservation',
      'assignUnit',
      { ...stay, unitId: some('unit') },
    ],
    ['a save with a unit, too', 'moveReservation', 'saveReservationByRef', { ...saved, unitRef: '101' }],
    ['a move to a type', 'unassignUnit', 'moveReservation', { ...stay, unitTypeId: some('unittype') }],
    ['a move to a property', 'unassignUnit', 'moveReservation', { ...stay, propertyId: some('property') }],
    ['a save with another type', 'unassignUnit', 'saveReservationByRef', { ...saved, unitTypeRef: 'double' }],
    [
      'saves with another property',
      'unassignUnit',
      'saveReservationsInBulk',
      { connectionId: saved.connectionId, items: [{ externalId: '1', propertyRef: 'lake' }] },
    ],
    ['another end of a code', 'destructive', 'updateAccessCode', { ...code, endsAt: '2031-01-04T10:00:00Z' }],
    ['another start of a code', 'removeAccessCode', 'updateAccessCode', { ...code, startsAt: '2031-01-04T10:00:00Z' }],
    ['other digits', 'regenerateAccessCode', 'updateAccessCode', { ...code, code: '482916' }],
    ['publishing an earlier template', 'publishEmailTemplate', 'rollBackEmailTemplate', template],
    [
      'publishing a chosen template',
      'rollBackEmailTemplate',
      'publishEmailTemplate',
      { ...template, templateVersion: 1 },
    ],
    ['a template by a model', 'saveEmailTemplate', 'create_email_template', { instruction }],
    ['a version by a model', 'updateEmailTemplate', 'modify_email_template', { ...template, instruction }],
    ['a workflow by a model', 'saveWorkflow', 'create_workflow', { instruction }],
    ['changes by a model', 'updateWorkflow', 'modify_workflow', { workflowId: some('workflow'), instruction }],
    ['a place by a model', 'addPlace', 'importGuidePlace', { ...guide, place: 'Café' }],
    ['a language by a model', 'editTranslation', 'initializeLanguageTranslations', { ...guide, locale: 'de' }],
    ['texts by a model', 'editTranslation', 'retranslateGuideText', { ...guide, locale: 'de', textKeys: ['name'] }],
    ['a successor of a key', 'createApiKey', 'rotateApiKey', { keyId: some('key') }],
    ['the end of a key that has a successor', 'revokeApiKey', 'rotateApiKey', { keyId: some('key') }],
    ['a new address', 'revealCalendarFeed', 'rotateCalendarFeed', { propertyId: some('property') }],
    [
      'another receiver of events',
      'createWebhookEndpoint',
      'updateWebhookEndpoint',
      { ...endpoint, url: 'https://a.example/' },
    ],
    ['archiving, which pauses a workflow', 'pauseWorkflow', 'archiveWorkflow', { workflowId: some('workflow') }],
  ])('%s', async (_, what, operation, input) => {
    const { key } = await world.asking(what, 'forbid');
    const { status, body } = await doors(world.tenant.service)[door].as(key).ask(operation, input);
    expect([status, body.error.code]).toEqual([403, 'FORBIDDEN_BY_RULE']);
  });
});
