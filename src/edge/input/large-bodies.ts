import { Injectable } from '@nestjs/common';
import { DecodedBase64 } from '#bytes';
import { invalidInput } from '#errors';
import { fieldsOf, type Operation } from '#operations';
import { BodyThreads, heavyWork, WorkKilled } from '#threads';
import { refused } from '../../platform/http/json-text.js';
import { fieldAt, type Path } from './json-work.js';
import type * as jsonWork from './json-work.js';

const reading = heavyWork<typeof jsonWork.readBody>({
  kind: 'body',
  module: import.meta.resolve('./json-work.js'),
  run: 'readBody',
  // The largest take a tenth of a second.
  withinMs: 5_000,
});
/** The owner of bodies without a credential, which take turns with organizations like one more. */
const visitors = 'visitors';

/** Reads large bodies, such as files in base64, in threads, because parsing one takes up to 70 ms. */
@Injectable()
export class LargeBodies {
  /** The files of each body. */
  private readonly files = new WeakMap<object, DecodedBase64[]>();

  constructor(private readonly threads: BodyThreads) {}

  /**
   * @param bytes larger than what Node keeps in shared memory; they are moved to the thread, and empty here afterwards.
   * @param operations that may be asked for.
   * @param places of an operation's fields in the body.
   * @throws validation_error; ThreadsBusy.
   */
  async read(
    { buffer }: Buffer,
    operations: readonly Operation[],
    owner = visitors,
    places: readonly Path[] = [[]],
  ): Promise<unknown> {
    const inBase64 = operations.flatMap(({ input }) =>
      fieldsOf(input)
        .filter(({ schema }) => schema.contentEncoding === 'base64')
        .flatMap(({ name }) => places.map((place) => [...place, name])),
    );
    const work = this.threads.run(reading, owner, buffer as ArrayBuffer, inBase64);
    const answer = await work.catch((error: unknown) => {
      throw error instanceof WorkKilled ? refused('The body takes too long to read.') : error;
    });
    if ('issues' in answer) throw invalidInput(answer.issues);
    const { value, decoded, moved } = answer;
    const files = moved.map((bytes) => new DecodedBase64(Buffer.from(bytes)));
    for (const [index, path] of decoded.entries()) {
      const { fields, name } = fieldAt(value, path);
      if (fields) fields[name] = files[index];
    }
    if (files.length > 0) this.files.set(value as object, files);
    return value;
  }

  /** Frees the files of a body that is answered. */
  free(body: unknown): void {
    for (const file of this.files.get(body as object) ?? []) file.free();
  }
}
