import type { Service } from '../../support/start-app.js';
import type { Json } from '../../support/api.js';
import { answerOf, portable } from '../answers.js';

/** The list that contains the records of a path parameter. */
const lists: Record<string, string> = {
  accessCodeId: '/access-codes',
  commandId: '/device-commands',
  connectionId: '/connections',
  deviceId: '/devices',
  guestId: '/guests',
  guideId: '/guides',
  jobId: '/model-jobs',
  keyId: '/api-keys',
  memberId: '/members',
  messageId: '/messages',
  propertyId: '/properties',
  reservationId: '/reservations',
  runId: '/workflow-runs',
  taskId: '/tasks',
  templateId: '/email-templates',
  workflowId: '/workflows',
};
/** A stream, and what describes the release rather than records. */
const others = ['/events/stream', '/workflow-catalog'];
/** Without it a list shows no archived records. */
const archives = ['/devices', '/properties', '/tasks'].map((path) => `${path}?archived=true`);
const everyones = '/applications?of=organization';
const archivedIn = (list: string): string[] => archives.filter((path) => path.startsWith(`${list}?`));

/** The response of every path that is read with GET, for every record of every list. */
export async function readAll(at: Service): Promise<Record<string, Json>> {
  const { body } = await at.api.get('/openapi.json');
  const paths = Object.entries(body.paths as Record<string, Json>)
    .filter(([, methods]) => 'get' in methods)
    .map(([path]) => path.replace('/api/v1', ''))
    .filter((path) => !others.includes(path));
  const answers: Record<string, Json> = {};
  const read = async (path: string): Promise<void> => {
    answers[path] = await answerOf(at, path);
  };
  for (const path of [...paths.filter((path) => !path.includes('{')), ...archives, everyones]) await read(path);
  for (const path of paths.filter((path) => path.includes('{'))) {
    const [, parameter = ''] = /\{(\w+)\}/.exec(path) ?? [];
    const list = lists[parameter];
    if (!list) throw new Error(`Which list names the records of ${path}?`);
    for (const { id } of [list, ...archivedIn(list)].flatMap((from) => answers[from] as Json[])) {
      await read(path.replace(`{${parameter}}`, id as string));
    }
  }
  return answers;
}

/** Secrets that are shown on request. */
export async function revealAll({ api, url }: Service, answers: Record<string, Json>): Promise<Record<string, Json>> {
  const reveals: Record<string, Json> = {};
  const paths = [
    ...(answers['/access-codes'] as Json[]).map(({ id }) => `/access-codes/${id}/reveal`),
    ...(answers['/properties'] as Json[]).map(({ id }) => `/properties/${id}/calendar-feed/reveal`),
    ...(answers['/properties'] as Json[])
      .filter(({ hasWifi }) => hasWifi)
      .map(({ id }) => `/properties/${id}/wifi/reveal`),
  ];
  for (const path of paths) {
    const { status, body } = await api.post(path);
    if (status === 200) reveals[path] = portable(url, body.data);
  }
  return reveals;
}
