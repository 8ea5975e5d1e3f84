import type { Json } from './api.js';
import { keyWith } from './factories.js';
import { until } from './feed.js';
import { type ModelServer, startModelServer } from './model-server.js';
import { startOps } from './ops.js';
import { withSampleDrafts } from './sample-drafts.js';
import { type Service, startApp } from './start-app.js';

/** A service with a scripted model behind it, and the sample of a model-backed operation. */
export interface ModelWorld {
  service: Service;
  model: ModelServer;
  key: string;
  /** Resolves with the job once it has ended. */
  ended(jobId: string): Promise<Json>;
  /** Requests a draft at a path of the API; resolves with its job once that has ended. */
  drafted(path: string, input: object): Promise<Json>;
  /** The errors that the model was told to correct. */
  corrections(): string[];
  /** The names of the tasks that the sample has saved, and of all others. */
  taskNames(): Promise<string[]>;
  close(): Promise<void>;
}

export async function openModelWorld(
  env: Record<string, string> = {},
  shared: Parameters<typeof startApp>[1] = {},
): Promise<ModelWorld> {
  const model = await startModelServer();
  const settings = { MODEL_BASE_URL: model.url, MODEL_NAME: 'stub', MODEL_API_KEY: 'secret', ...env };
  const service = await withSampleDrafts(() => startApp(settings, shared));
  const { api, key } = await keyWith(service.api);
  const ops = await startOps(service);
  // A limit that only the tests of the budget reach.
  await ops('org update --org my-organization --model-calls-per-minute 10000');
  await ops.close();
  const job = async (id: string): Promise<Json> => {
    const { status, body, text } = await api.get(`/model-jobs/${id}`);
    if (status !== 200) throw new Error(text);
    return body.data;
  };
  const ended = (jobId: string): Promise<Json> =>
    until(
      () => job(jobId),
      ({ finishedAt }) => finishedAt !== null,
    );
  return {
    service,
    model,
    key,
    ended,
    drafted: async (path, input) => {
      const { status, body, text } = await api.post(path, input);
      if (status !== 202) throw new Error(text);
      return await ended(body.data.id as string);
    },
    corrections: () =>
      model.asked.filter(({ isCorrection }) => isCorrection).map(({ body }) => body.messages.at(-1)?.content ?? ''),
    taskNames: async () =>
      ((await api.get('/tasks?limit=100')).body.data as { name: string }[]).map(({ name }) => name),
    close: async () => {
      await service.close();
      await model.close();
    },
  };
}
