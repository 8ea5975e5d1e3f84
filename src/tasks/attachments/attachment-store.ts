/** Where the bytes of files are kept: a port, so that an object store can take the place of the local disk. */
export abstract class AttachmentStore {
  /** Keeps a file under a path of `/`-separated ids. */
  abstract put(path: string, content: Buffer): Promise<void>;

  /** @returns undefined when there is no such file. */
  abstract get(path: string): Promise<Buffer | undefined>;
}
