/**
 * Replaces libs/threads/thread.ts in the tests' processes: an idle thread of a service that ends is passed to the next
 * one that starts a thread, because a thread takes a second of a core to load what letters need, and a hundred test
 * files start services. These threads also keep a normal priority: on a busy machine, the second that a letter has could
 * be over before it gets a core. unit/threads tests how threads really work and end, with `process.env.THREADS` set to `real`.
 */
import { setEnvironmentData } from 'node:worker_threads';
import { Thread as RealThread } from '../../../libs/threads/thread.ts';

const kept = [];

export class Thread extends RealThread {
  constructor(megabytes) {
    const at = kept.findIndex((thread) => thread.megabytes === megabytes && thread.isUsable);
    if (at >= 0 && process.env.THREADS !== 'real') return Object.assign(kept.splice(at, 1)[0], { runs: 0 });
    setEnvironmentData('threads', process.env.THREADS);
    super(megabytes);
    this.megabytes = megabytes;
    this.isBusy = false;
  }

  async perform(...given) {
    this.isBusy = true;
    try {
      return await super.perform(...given);
    } finally {
      this.isBusy = false;
    }
  }

  async end() {
    if (this.isBusy || process.env.THREADS === 'real') await super.end();
    else if (this.isUsable && !kept.includes(this)) kept.push(this);
  }
}
