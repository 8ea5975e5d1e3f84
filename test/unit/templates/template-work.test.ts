import type { Threads } from '#threads';
import { WorkKilled } from '#threads';
import { TemplateWork } from '../../../src/features/templates/template-work.service.js';
import type { VersionContent } from '../../../src/features/templates/template.dto.js';

const killing = { run: () => Promise.reject(new WorkKilled('any', 'time')) } as unknown as Threads;
const work = new TemplateWork(killing);
const content = {} as VersionContent;

describe('a template that takes too much', () => {
  it('is rejected as an error of the input', async () => {
    const source = { subject: 'x', preheader: null, html: 'x', textBody: null };
    await expect(work.render('org', source, {})).rejects.toMatchObject({
      status: 409,
      code: 'TEMPLATE_DOES_NOT_RENDER',
      message: expect.stringContaining('too much time or memory'),
    });
    for (const refused of [
      work.lint('org', content, { html: '', faults: [] }),
      work.namesIn('org', []),
      work.differences('org', content, content),
    ])
      await expect(refused).rejects.toMatchObject({ status: 400 });
    expect(await work.compile('org', '')).toEqual({ html: '', faults: [expect.stringContaining('too much time')] });
  });
});
