import { Injectable } from '@nestjs/common';

/** Whether this process wants requests: it does until it begins to drain, and then never again. */
@Injectable()
export class Readiness {
  private isDraining = false;

  get draining(): boolean {
    return this.isDraining;
  }

  /** From now on /readyz answers 503, and every answer ends its connection. */
  drain(): void {
    this.isDraining = true;
  }
}
