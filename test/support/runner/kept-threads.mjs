/**
 * Stands for libs/threads/thread.ts in the tests' processes: an idle thread of a service that ends is handed to the next that
 * starts one, since a thread takes a second of a core to load what letters need, and a hundred test files start services.
 * Nor do these threads leave the cores to others: on a busy machine, the second of a letter could be over before it has a
 * core. How threads really work and end is what unit/threads looks at, as `process.env.THREADS` is `real` there.
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
