import { Injectable } from '@nestjs/common';
import { invalidInput } from '#errors';
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
  async read({ buffer }: Buffer, owner = visitors): Promise<unknown> {
    const answer = await this.threads.run(reading, owner, buffer as ArrayBuffer).catch((error: unknown) => {
      throw error instanceof WorkKilled ? refused('The body takes too long to read.') : error;
    });
    if ('issues' in answer) throw invalidInput(answer.issues);
    return answer.value;
  }
}
