import type { Api, Reply } from '../../../support/api.js';
import type { Service } from '../../../support/start-app.js';

/** The service that scenes play in, and who asks it; a rehearsal is asked through another client. */
export const world = {} as { service: Service; api: Api };

/** Asks for one operation, after what it needs has been made. */
export type Scene = () => Promise<() => Promise<Reply>>;

/** Operations that write: the events that each writes, in order, and how it is asked for. */
export type Scenes = Record<string, [string[], Scene]>;

/** Creates a record, and returns its id. */
export const made = async (path: string, body: object): Promise<string> => {
  const reply = await world.api.post(path, body);
  if (reply.status !== 201) throw new Error(`${path}: ${reply.text}`);
  return reply.body.data.id as string;
};

/** A scene in which a path is posted to, once what it is about has been made. */
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
