import { Injectable } from '@nestjs/common';
import { DecodedBase64 } from '#bytes';
import type { RequestContext } from '#context';
import { invalidInput } from '#errors';
import { fieldsOf, type Operation } from '#operations';
import { BodyThreads, heavyWork, WorkKilled } from '#threads';
import { refused } from '../../platform/http/json-text.js';
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
  constructor(private readonly threads: BodyThreads) {}

  /**
   * @param bytes larger than what Node keeps in shared memory; they are moved to the thread, and empty here afterwards.
   * @throws validation_error; ThreadsBusy.
   */
  async read({ buffer }: Buffer, { input }: Operation, owner = visitors): Promise<unknown> {
    const inBase64 = fieldsOf(input).flatMap(({ name, schema }) => (schema.contentEncoding === 'base64' ? name : []));
    const work = this.threads.run(reading, owner, buffer as ArrayBuffer, inBase64);
    const answer = await work.catch((error: unknown) => {
      throw error instanceof WorkKilled ? refused('The body takes too long to read.') : error;
    });
    if ('issues' in answer) throw invalidInput(answer.issues);
    for (const [index, name] of answer.decoded.entries()) {
      (answer.value as Record<string, unknown>)[name] = new DecodedBase64(
        Buffer.from(answer.moved[index] as ArrayBuffer),
      );
    }
    return answer.value;
  }

  /** Frees the files of a body that is answered. */
  free({ raw }: RequestContext): void {
    for (const value of Object.values(raw?.body ?? {})) if (value instanceof DecodedBase64) value.free();
  }
}
