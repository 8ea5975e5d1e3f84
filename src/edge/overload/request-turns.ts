import type { Response } from 'express';
import type { Ahead, LateLoop } from '#loop-time';
import type { InProgress } from '#turns';

const lookEveryMs = 10;
/** For how long the next request of an organization lets those of others go first. */
const yieldsMs = 50;
/** How many connections of the database such an organization may use before its next request waits for one, and how long. */
const mostConnections = 2;
const connectionWaitMs = 300;
/** What has waited for longer is rejected. */
const waitsMs = 5_000;

interface Waiting {
  since: number;
  response: Pick<Response, 'once'>;
  /** Says whether it may continue. */
  end: (mayGoOn: boolean) => void;
}

/** The requests of one organization. */
interface Requests {
  waiting: Set<Waiting>;
  /** Since when the next one waits only for other organizations. */
  nextSince: number;
}

/**
 * While the event loop is late, the requests of an organization that used most of it are processed one at a time. Each
 * begins when no request of another organization is in progress, and waits if long queries of its own already use the
 * database. All others, and everybody while the loop is on time, may have any number in progress.
 */
export class RequestTurns {
  /** In the order of their turns. */
  private readonly owners = new Map<string, Requests>();
  private timer?: NodeJS.Timeout;

  constructor(
    private readonly late: Pick<LateLoop, 'isLate'>,
    private readonly ahead: Pick<Ahead, 'has'>,
    private readonly inProgress: InProgress,
    /** How many connections of the database an organization uses. */
    private readonly connections: (owner: string) => number,
    private readonly now = (): number => performance.now(),
  ) {}

  /** @returns whether the request may continue; false if it waited too long, or its client has disconnected. */
  take(owner: string, response: Pick<Response, 'once'>): true | Promise<boolean> {
    const requests = this.owners.get(owner) ?? { waiting: new Set(), nextSince: this.now() };
    this.owners.set(owner, requests);
    if (requests.waiting.size > 0 || !this.mayBegin(owner, requests)) return this.wait(requests, response);
    this.begin(owner, requests, response);
    return true;
  }

  /** Begins what may begin, and rejects what waited too long: when a request ends, and while any of them waits. */
  look(): void {
    let isAwaited = false;
    // A copy, because one that begins a request comes last.
    const owners = [...this.owners];
    for (const [owner, requests] of owners) {
      const { waiting } = requests;
      for (const request of waiting) if (this.now() - request.since >= waitsMs) leave(waiting, request);
      const [next] = waiting;
      if (next && this.mayBegin(owner, requests)) {
        this.begin(owner, requests, next.response);
        leave(waiting, next, true);
      }
      isAwaited ||= waiting.size > 0;
    }
    if (isAwaited) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private wait({ waiting }: Requests, response: Waiting['response']): Promise<boolean> {
    this.timer ??= setInterval(() => this.look(), lookEveryMs).unref();
    return new Promise((end) => {
      const request = { since: this.now(), response, end };
      waiting.add(request);
      response.once('close', () => leave(waiting, request));
    });
  }

  private begin(owner: string, requests: Requests, response: Waiting['response']): void {
    const end = this.inProgress.begin(owner);
    requests.nextSince = this.now();
    // Deleted and set again, an owner comes after all others.
    this.owners.delete(owner);
    this.owners.set(owner, requests);
    response.once('close', () => {
      end();
      this.ended(owner);
    });
  }

  /** One that took long may end after its organization was forgotten, and seen again. */
  private ended(owner: string): void {
    const requests = this.owners.get(owner);
    if (!requests) return;
    requests.nextSince = this.now();
    if (this.timer) this.look();
    if (requests.waiting.size === 0 && this.inProgress.of(owner) === 0) this.owners.delete(owner);
  }

  private mayBegin(owner: string, requests: Requests): boolean {
    if (!this.late.isLate || !this.ahead.has(owner)) return true;
    if (this.inProgress.of(owner) > 0) return false;
    const heldMs = this.now() - requests.nextSince;
    if (this.connections(owner) >= mostConnections && heldMs < connectionWaitMs) return false;
    return heldMs >= yieldsMs || !this.inProgress.ofOthers(owner);
  }
}

/** In a turn of the event loop of its own, if it may continue. */
function leave(waiting: Set<Waiting>, request: Waiting, mayGoOn = false): void {
  if (waiting.delete(request)) setImmediate(request.end, mayGoOn);
}
