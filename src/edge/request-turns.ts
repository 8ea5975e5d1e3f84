import type { Response } from 'express';
import type { Ahead } from '#loop-time';

interface Bounds {
  /** What takes longer waits for something else than the event loop, and the next need not wait for it. */
  holdsMs: number;
  /** Whoever waits for longer is refused. */
  waitsMs: number;
}

const usual: Bounds = { holdsMs: 1_000, waitsMs: 5_000 };

/** The requests of one organization that are being answered, and those that wait for that. */
interface Requests {
  inProgress: number;
  waiting: (() => void)[];
}

/**
 * An organization whose work takes much of the event loop while others have work for it too has its requests answered
 * one after the other, each in a turn of the loop of its own: what others want done gets in between. All others, and
 * whoever has the loop alone, have any number of requests answered at a time.
 */
export class RequestTurns {
  private readonly ofOwner = new Map<string, Requests>();

  constructor(
    private readonly ahead: Pick<Ahead, 'has'>,
    private readonly bounds = usual,
  ) {}

  /** @returns whether the request may go on; false, later, where it waited in vain. */
  take(owner: string, response: Pick<Response, 'once'>): true | Promise<boolean> {
    const requests = this.ofOwner.get(owner) ?? { inProgress: 0, waiting: [] };
    this.ofOwner.set(owner, requests);
    if (requests.inProgress > 0 && this.ahead.has(owner)) return this.wait(owner, requests, response);
    this.begin(owner, requests, response);
    return true;
  }

  private wait(owner: string, requests: Requests, response: Pick<Response, 'once'>): Promise<boolean> {
    return new Promise((resolve) => {
      const giveUp = (): void => {
        clearTimeout(timer);
        const index = requests.waiting.indexOf(begin);
        if (index < 0) return;
        requests.waiting.splice(index, 1);
        resolve(false);
      };
      const timer = setTimeout(giveUp, this.bounds.waitsMs).unref();
      const begin = (): void => {
        clearTimeout(timer);
        this.begin(owner, requests, response);
        setImmediate(resolve, true);
      };
      requests.waiting.push(begin);
      response.once('close', giveUp);
    });
  }

  private begin(owner: string, requests: Requests, response: Pick<Response, 'once'>): void {
    requests.inProgress += 1;
    let isOver = false;
    const end = (): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      this.end(owner, requests);
    };
    const timer = setTimeout(end, this.bounds.holdsMs).unref();
    response.once('close', end);
  }

  private end(owner: string, requests: Requests): void {
    requests.inProgress -= 1;
    if (requests.inProgress > 0) return;
    const next = requests.waiting.shift();
    if (next) next();
    else this.ofOwner.delete(owner);
  }
}
