import { asking, type Case, type World } from './world.js';

/** Errors of texts for guests, and of workflows. */
export async function writing(world: World): Promise<Case[]> {
  const { done, ids } = world;
  const ask = asking(world);
  const steps = (count: number) => ({
    title: 'Steps',
    blocks: [{ kind: 'steps', steps: Array.from({ length: count }, (_, index) => `Step ${index}`) }],
  });
  const texts = {
    name: 'Full',
    sourceLocale: 'en',
    sections: [...Array.from({ length: 11 }, () => steps(50)), steps(37)],
  };
  const { id: full } = await done('saveGuide', texts);
  const { id: placeId } = await done('addPlace', { guideId: full, name: 'Café' });
  const { id: guideId } = await done('saveGuide', { name: 'Old', sourceLocale: 'en', locales: ['pt'] });
  const { id: old } = await done('addPlace', { guideId, name: 'Café', note: 'Good' });
  const [{ id: translationId }] = await done('listTranslations', { guideId });
  await done('editTranslation', { guideId, translationId, text: 'Velho' });
  await done('archiveGuide', { guideId });
  const trigger = { kind: 'manual', reservation: true };
  const flow = { name: 'Made', trigger, steps: [{ kind: 'wait', minutes: 5 }] };
  const { id: workflowId } = await done('saveWorkflow', { ...flow, trigger: { kind: 'manual' } });
  await done('archiveWorkflow', { workflowId });
  const variables = [{ key: 'guest.name', type: 'text', required: true }];
  const template = { name: 'Welcome', subject: 'Welcome, {{ guest.name }}', body: '<p>Hi</p>', variables };
  const { id: templateId } = await done('saveEmailTemplate', template);
  const [{ id: person }] = await done('listMembers', { kind: 'user' });
  return [
    ask('addPlace', 'GUIDE_TOO_LONG', { guideId: full, name: 'Bar', note: 'One more' }),
    ask('updatePlace', 'GUIDE_TOO_LONG', { guideId: full, placeId, note: 'One more' }),
    ask('updateGuide', 'GUIDE_TOO_LONG', { guideId: full, sections: [...texts.sections, steps(50)] }),
    ask('updatePlace', 'GUIDE_ARCHIVED', { guideId, placeId: old, note: 'Bad' }),
    ask('hidePlace', 'GUIDE_ARCHIVED', { guideId, placeId: old }),
    ask('importGuidePlace', 'GUIDE_ARCHIVED', { guideId, place: 'Café' }),
    ask('editTranslation', 'GUIDE_ARCHIVED', { guideId, translationId, text: 'Antigo' }),
    ask('approveTranslation', 'GUIDE_ARCHIVED', { guideId, translationId }),
    ask('initializeLanguageTranslations', 'GUIDE_ARCHIVED', { guideId, locale: 'de' }),
    ask('retranslateGuideText', 'GUIDE_ARCHIVED', { guideId, locale: 'pt', textKeys: ['name'] }),
    ...['pauseWorkflow', 'updateWorkflow'].map((name) => ask(name, 'WORKFLOW_ARCHIVED', { workflowId })),
    ask('runWorkflow', 'WORKFLOW_CONDITIONS_NOT_MET', async () => {
      const conditions = {
        match: 'all',
        rules: [{ field: 'reservation.status', operator: 'equals', value: 'inquiry' }],
      };
      const { id } = await done('saveWorkflow', { ...flow, conditions });
      await done('activateWorkflow', { workflowId: id });
      return { workflowId: id, reservationId: ids.reservationId };
    }),
    ask('sendTestEmail', 'TEMPLATE_DOES_NOT_RENDER', {
      templateId,
      memberId: person,
      data: { guest: { name: 'a\r\nBcc: eve@example.com' } },
    }),
    ask('rollBackEmailTemplate', 'TEMPLATE_NOT_PUBLISHED', { templateId, templateVersion: 1 }),
    ask('rollBackEmailTemplate', 'TEMPLATE_HAS_ERRORS', async () => {
      const { id } = await done('saveEmailTemplate', { ...template, variables: [] });
      await done('updateEmailTemplate', { templateId: id, subject: 'Welcome' });
      await done('publishEmailTemplate', { templateId: id });
      return { templateId: id, templateVersion: 1 };
    }),
  ];
}
