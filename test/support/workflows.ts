import type { Api, Json } from './api.js';
import { until } from './feed.js';

/** A workflow that by default creates a task for a stay that is moved. */
export const moved = (wishes: object = {}): object => ({
  name: 'Prepare a stay that was moved',
  trigger: { kind: 'event', eventType: 'reservation.moved' },
  steps: [
    {
      id: 'prepare',
      kind: 'operation',
      operation: 'createTask',
      input: { name: 'Prepare for {{reservation.checkInDate}}', reservationId: '{{event.subject.id}}' },
    },
  ],
  ...wishes,
});

export async function workflowOf(api: Api, wishes: object = {}): Promise<string> {
  const { status, body, text } = await api.post('/workflows', moved(wishes));
  if (status !== 201) throw new Error(`No workflow was saved: ${text}`);
  return body.data.id as string;
}

/** One that acts. */
export async function activeWorkflowOf(api: Api, wishes: object = {}): Promise<string> {
  const id = await workflowOf(api, wishes);
  const { status, text } = await api.post(`/workflows/${id}/activate`);
  if (status !== 200) throw new Error(`The workflow was not activated: ${text}`);
  return id;
}

export const runsOf = async (api: Api, workflowId: string): Promise<Json[]> =>
  (await api.get(`/workflow-runs?workflowId=${workflowId}&limit=100`)).body.data;

/** The one run of a workflow, once it meets the condition. */
export const runWhen = async (api: Api, workflowId: string, isSo: (run: Json) => boolean): Promise<Json> =>
  (
    await until(
      () => runsOf(api, workflowId),
      ([run]) => run !== undefined && isSo(run),
    )
  )[0];

export const hasEnded = ({ finishedAt }: Json): boolean => finishedAt !== null;
