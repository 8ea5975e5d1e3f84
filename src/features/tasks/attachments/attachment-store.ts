/** A file in the store. */
export interface KeptFile {
  path: string;
  /** When it was put there, in milliseconds; by the application's clock. */
  putAt: number;
}

/** Stores the bytes of files: a port, so that an object store can replace the local disk. */
export abstract class AttachmentStore {
  /** Keeps a file under a path of `/`-separated ids. */
  abstract put(path: string, content: Buffer): Promise<void>;

  /** @returns undefined when there is no such file. */
  abstract get(path: string): Promise<Buffer | undefined>;

  /** Removes a file; one that is not there is no error. */
  abstract remove(path: string): Promise<void>;

  /**
   * Files in the order of their paths, including unfinished ones.
   *
   * @param after the path after which the list starts.
   */
  abstract list(after: string, limit: number): Promise<KeptFile[]>;
}
