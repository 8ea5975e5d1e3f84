import type { Api, Json } from '../../support/api.js';
import { keyWith, propertyOf, stayOf } from '../../support/factories.js';
import { type Service, startApp } from '../../support/start-app.js';
import { activeWorkflowOf } from '../../support/workflows.js';

export const dayMs = 86_400_000;
const dateIn = (days: number): string => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);
const nightsFrom = (days: number) => ({ checkInDate: dateIn(days), checkOutDate: dateIn(days + 2) });

/** A service that runs workflows. */
export class RunWorld {
  private houses = 0;

  private constructor(
    readonly service: Service,
    readonly api: Api,
    readonly key: string,
  ) {}

  static async start(): Promise<RunWorld> {
    const service = await startApp({ OUTBOUND_ALLOW: '127.0.0.1' });
    const { api, key } = await keyWith(service.api);
    return new RunWorld(service, api, key);
  }

  manual(steps: object[], wishes: object = {}): Promise<string> {
    return activeWorkflowOf(this.api, { trigger: { kind: 'manual', ...wishes }, steps });
  }

  async run(workflowId: string, input: object = {}): Promise<string> {
    const { body, text } = await this.api.post(`/workflows/${workflowId}/run`, input);
    if (!body.data) throw new Error(text);
    return body.data.id as string;
  }

  async runOf(id: string): Promise<Json> {
    return (await this.api.get(`/workflow-runs/${id}`)).body.data;
  }

  async tasksNamed(name: string): Promise<Json[]> {
    return ((await this.api.get('/tasks?limit=100')).body.data as Json[]).filter((one) => one.name === name);
  }

  /** A stay at a property of its own, a number of days from now. */
  async stayIn(days: number, wishes: object = {}): Promise<Json> {
    const propertyId = await propertyOf(this.api, `House ${(this.houses += 1)}`);
    return await stayOf(this.api, { propertyId, ...nightsFrom(days), ...wishes });
  }

  move(stayId: string, days: number) {
    return this.api.post(`/reservations/${stayId}/move`, nightsFrom(days));
  }
}

export const task = (wishes: object = {}, id?: string): object => ({
  ...(id && { id }),
  kind: 'operation',
  operation: 'createTask',
  input: { name: 'By a workflow', ...wishes },
});
export const wait = (minutes: number): object => ({ kind: 'wait', minutes });
export const isWaiting = ({ status }: Json): boolean => status === 'waiting';
export const ended = { status: 'succeeded', error: null };
