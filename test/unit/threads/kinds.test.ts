import type { Caller } from '#access';
import { type BodyThreads, type HeavyWork, type Threads, WorkKilled } from '#threads';
import { LargeBodies } from '../../../src/edge/input/large-bodies.js';
import { CalendarWork } from '../../../src/features/reservations/ical/calendar-work.service.js';
import { attachToTask } from '../../../src/features/tasks/attachments/attachments.operations.js';
import { TemplateWork } from '../../../src/features/templates/template-work.service.js';
import type { VersionContent } from '../../../src/features/templates/template.dto.js';
import { ScheduleWork } from '../../../src/features/workflows/schedule-work.service.js';
import { WorkflowWriter } from '../../../src/features/workflows/writing/workflow-writer.js';

const given: string[] = [];
/** Notes how long each piece may take, and ends it. */
const pool = {
  run: ({ kind, withinMs }: HeavyWork) => {
    given.push(`${kind} ${withinMs}`);
    return Promise.reject(new WorkKilled(kind, 'time'));
  },
} as unknown as Threads;
const templates = new TemplateWork(pool);
const content = {} as VersionContent;
const letter = { subject: 'x', preheader: null, html: 'x', textBody: null };
const calendars = new CalendarWork({} as Threads, pool);

/** The last step of a change that a model writes. */
function compareWorkflows(): Promise<unknown> {
  type Kind = { name: string; save: (...args: unknown[]) => Promise<unknown> };
  const kinds: Kind[] = [];
  const workflows = { changeable: () => Promise.resolve({ latestVersion: 1 }), update: () => Promise.resolve({}) };
  const registry = { register: (kind: Kind) => kinds.push(kind) };
  const parts = [registry, {}, workflows, {}, {}, {}, {}, pool] as unknown as ConstructorParameters<
    typeof WorkflowWriter
  >;
  new WorkflowWriter(...parts);
  const [, modification] = kinds as [Kind, Kind];
  return modification.save({ orgId: 'org' } as Caller, { workflowId: 'w' }, { base: 1, before: {}, draft: {} });
}

// docs/reliability.md, Heavy work.
it.each<[string, string, () => Promise<unknown>]>([
  ['filling in a template', 'template_render 1000', () => templates.render('org', letter, {})],
  ['linting a template', 'template_check 1000', () => templates.lint('org', content, { html: '', faults: [] })],
  ['the names in a template', 'template_check 1000', () => templates.namesIn('org', [])],
  ['compiling MJML', 'mjml 2000', () => templates.compile('org', '')],
  ['comparing templates', 'diff 1000', () => templates.differences('org', content, content)],
  ['comparing workflows', 'diff 2000', compareWorkflows],
  ['a schedule', 'schedule_times 1000', () => new ScheduleWork(pool).timesBetween('org', {} as never, '', '', '')],
  ['writing a calendar', 'calendar_out 5000', () => new CalendarWork(pool, {} as BodyThreads).pack('org', '', [])],
  ['reading a calendar', 'calendar_in 5000', () => calendars.read('org', Buffer.from(''), {} as never, {} as never)],
  ['reading a large body', 'body 5000', () => new LargeBodies(pool).read(Buffer.from(''), [attachToTask], 'org')],
])('%s is ended at its limit: %s ms', async (_, expected, perform) => {
  await perform().catch(() => undefined);
  expect(given.splice(0)).toEqual([expected]);
});
