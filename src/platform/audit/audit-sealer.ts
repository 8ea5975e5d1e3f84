import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { DueTimer } from '#jobs';
import { SystemDatabase } from '#system-database';
import type { Config } from '../config/app.config.js';
import { CONFIG } from '../config/app.config.js';
import { contentOf, hashOf } from './audit-chain.js';
import { chainStart } from './audit-entries.repository.js';
import { AuditSealsRepository, headText, type Seal } from './audit-seals.repository.js';
import { AuditSignatures } from './audit-signatures.js';

const everyMs = 5_000;
/** The event loop waits while these are hashed; more are sealed with the next transaction. */
const sealedAtOnce = 100;

/**
 * Seals committed entries into the chain of their organization, in the background: a chain inside the writes would let
 * an organization do only one thing at a time. Any number of processes may do so, one at a time for each chain.
 */
@Injectable()
export class AuditSealer implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(AuditSealer.name);
  private readonly timer = new DueTimer('audit seals', everyMs, () => this.runDue(), this.log);

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly database: SystemDatabase,
    private readonly seals: AuditSealsRepository,
    private readonly signatures: AuditSignatures,
  ) {}

  onApplicationBootstrap(): void {
    if (this.config.works) this.timer.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.timer.stop();
  }

  /** Seals all that is committed and can be passed by nothing that commits later. */
  async runDue(): Promise<void> {
    for (const orgId of await this.seals.behind()) {
      try {
        while ((await this.seal(orgId)) === sealedAtOnce);
      } catch (error) {
        this.log.error(
          { err: error as Error, orgId },
          'Audit entries could not be sealed; sealing of other organizations continues',
        );
      }
    }
  }

  /** @returns how many were sealed; none where another process has the chain. */
  private seal(orgId: string): Promise<number> {
    return this.database.transaction(async () => {
      if (!(await this.seals.lock(orgId))) return 0;
      const head = await this.seals.head(orgId);
      // Somebody who shortened the chain would otherwise get the next head signed.
      if (head && !this.signatures.isValid(head.signature, orgId, headText(head)))
        throw new Error('The head of the audit chain was not written by this service; run `ops audit verify`');
      const next = await this.seals.next(orgId, head?.entry ?? chainStart, sealedAtOnce);
      const last = next.at(-1);
      if (!last) return 0;
      let [position, hash] = [head?.position ?? 0, head?.hash ?? orgId];
      const seals = next.map(({ entry }): Seal => {
        position += 1;
        hash = hashOf(hash, position, contentOf(entry));
        return { position, hash, entryId: entry.id };
      });
      await this.seals.append(orgId, seals, {
        position,
        hash,
        signature: this.signatures.sign(orgId, headText({ position, hash })),
        entry: { transactionId: last.transactionId, entryId: last.entry.id },
        sealedAt: new Date().toISOString(),
      });
      return next.length;
    });
  }
}
