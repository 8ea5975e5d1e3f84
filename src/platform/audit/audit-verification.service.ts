import { Injectable } from '@nestjs/common';
import { SystemDatabase } from '#system-database';
import { contentOf, hashOf } from './audit-chain.js';
import { chainStart } from './audit-entries.repository.js';
import type { AuditEntryView, AuditSeal } from './audit-entry.dto.js';
import { AuditSealsRepository, chainName, type Head, headText, type Seal } from './audit-seals.repository.js';
import { AuditSignatures } from './audit-signatures.js';
import type { AuditFault, AuditVerificationView } from './audit-verification.dto.js';

const readAtOnce = 1_000;
const mostFaults = 100;

/** Reads the whole trail of an organization, and reports what was changed, deleted or inserted without the service. */
@Injectable()
export class AuditVerification {
  constructor(
    private readonly database: SystemDatabase,
    private readonly seals: AuditSealsRepository,
    private readonly signatures: AuditSignatures,
  ) {}

  /**
   * Nothing is sealed during the verification.
   *
   * @param known an earlier head that was kept elsewhere: the chain must still contain it.
   */
  verify(orgId: string, known?: AuditSeal): Promise<AuditVerificationView> {
    return this.database.exclusive(chainName(orgId), async () => {
      const faults: AuditFault[] = [];
      const head = await this.seals.head(orgId);
      const sealed = await this.checkSealed(orgId, head, known, faults);
      const unsealed = await this.checkUnsealed(orgId, head, faults);
      const valid = faults.length === 0;
      return {
        valid,
        entries: sealed + unsealed,
        sealed,
        unsealed,
        head: head ?? null,
        faults: faults.slice(0, mostFaults),
      };
    });
  }

  /**
   * Only the end of the chain, up to its head, for a page: an earlier entry that was changed is not noticed.
   *
   * @returns how many sealed entries that were, the head, and how many of them are faulty.
   */
  newest(orgId: string): Promise<{ checked: number; head: AuditSeal | null; faults: number }> {
    return this.database.exclusive(chainName(orgId), async () => {
      const faults: AuditFault[] = [];
      const head = await this.seals.head(orgId);
      const behind = Math.max(0, (head?.position ?? 0) - readAtOnce);
      const [before] = behind > 0 ? await this.seals.seals(orgId, behind - 1, 1) : [{ position: 0, hash: orgId }];
      const start = before?.position === behind ? before : { position: behind, hash: '' };
      const checked = await this.checkSealed(orgId, head, undefined, faults, start);
      return { checked, head: head ?? null, faults: faults.length };
    });
  }

  /** Follows the chain. @returns how many of its entries there are. */
  private async checkSealed(
    orgId: string,
    head: Head | undefined,
    known: AuditSeal | undefined,
    faults: AuditFault[],
    start: AuditSeal = { position: 0, hash: orgId },
  ): Promise<number> {
    let { position, hash } = start;
    let entries = 0;
    for await (const seal of this.chain(orgId, position)) {
      const { entry, entryId } = seal;
      if (seal.position !== position + 1) faults.push({ fault: 'missing', position: position + 1 });
      if (!entry) faults.push({ fault: 'missing', position: seal.position, entryId });
      else if (!isSealed(hash, seal, entry)) faults.push({ fault: 'changed', position: seal.position, entryId });
      else if (!this.isOurs(orgId, entry, seal.signature))
        faults.push({ fault: 'forged', position: seal.position, entryId });
      if (entry) entries += 1;
      ({ position, hash } = seal);
      if (known?.position === position && known.hash !== hash) faults.push({ fault: 'known_head', position });
    }
    const end = Math.max(head?.position ?? 0, known?.position ?? 0);
    if (position < end) faults.push({ fault: 'missing', position: position + 1 });
    else if (position > (head?.position ?? 0) || (head && head.hash !== hash)) faults.push({ fault: 'head', position });
    if (head && !this.signatures.isValid(head.signature, orgId, headText(head)))
      faults.push({ fault: 'head', position: head.position });
    return entries;
  }

  private async *chain(orgId: string, after: number): AsyncGenerator<Seal & { signature: Buffer | null }> {
    for (let behind = after; ;) {
      const seals = await this.seals.seals(orgId, behind, readAtOnce);
      yield* seals;
      const last = seals.at(-1);
      if (!last) return;
      behind = last.position;
    }
  }

  /** @returns how many entries wait for their seal, or should have one and have not. */
  private async checkUnsealed(orgId: string, head: Head | undefined, faults: AuditFault[]): Promise<number> {
    let entries = 0;
    for (let behind = chainStart.entryId; ;) {
      const { found, last } = await this.seals.unsealed(orgId, behind, readAtOnce, head?.entry ?? chainStart);
      for (const { entry, signature, isLate } of found) {
        if (isLate) faults.push({ fault: 'inserted', entryId: entry.id });
        else if (!this.isOurs(orgId, entry, signature)) faults.push({ fault: 'forged', entryId: entry.id });
      }
      if (!last) return entries;
      behind = last;
      entries += found.length;
    }
  }

  private isOurs(orgId: string, entry: AuditEntryView, signature: Buffer | null): boolean {
    return signature !== null && this.signatures.isValid(signature, orgId, contentOf(entry));
  }
}

/**
 * During a rolling update, a node of the previous version may seal an entry of a later one; its seal covers the entry
 * without its newer fields. That does not weaken the trail: the signature of the entry, which is checked too, covers all
 * of it.
 */
const isSealed = (before: string, { position, hash }: Seal, entry: AuditEntryView): boolean =>
  [entry, { ...entry, undoes: undefined }, { ...entry, undoes: undefined, logId: undefined }].some(
    (content) => hashOf(before, position, contentOf(content)) === hash,
  );
