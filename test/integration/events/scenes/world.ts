import type { Api, Reply } from '../../../support/api.js';
import type { Service } from '../../../support/start-app.js';

/** The service of the scenes, and its caller; a rehearsal is requested by another client. */
export const world = {} as { service: Service; api: Api };

/** Requests one operation, after its prerequisites have been created. */
export type Scene = () => Promise<() => Promise<Reply>>;

/** Operations that write: the events that each records, in order, and its request. */
export type Scenes = Record<string, [string[], Scene]>;

/** Creates a record, and returns its id. */
export const made = async (path: string, body: object): Promise<string> => {
  const reply = await world.api.post(path, body);
  if (reply.status !== 201) throw new Error(`${path}: ${reply.text}`);
  return reply.body.data.id as string;
};

/** A scene that posts to a path, after its record has been created. */
export const posting =
  (make: () => Promise<string>, path: (id: string) => string, body?: object): Scene =>
  async () => {
    const id = await make();
    return () => world.api.post(path(id), body);
  };
export const patching =
  (make: () => Promise<string>, path: (id: string) => string, body: object): Scene =>
  async () => {
    const id = await make();
    return () => world.api.patch(path(id), body);
  };
export const deleting =
  (make: () => Promise<string>, path: (id: string) => string): Scene =>
  async () => {
    const id = await make();
    return () => world.api.delete(path(id));
  };

let told = 0;
/** For names and addresses that must differ. */
export const another = (): number => (told += 1);
