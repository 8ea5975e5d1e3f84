import { Injectable } from '@nestjs/common';

/** Whether this process accepts requests: it does until it starts to drain, and then never again. */
@Injectable()
export class Readiness {
  private isDraining = false;

  get draining(): boolean {
    return this.isDraining;
  }

  /** From now on /readyz returns 503, and every response closes its connection. */
  drain(): void {
    this.isDraining = true;
  }
}
