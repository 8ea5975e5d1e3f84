import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { Catalogue } from '#operations';
import { type UndoFollower, type UndoneChange, UndoneChanges } from '../../platform/events/undone-changes.js';
import type { Referable } from '../../tenancy/references/external-ref.dto.js';
import { ReferencesRepository } from '../../tenancy/references/references.repository.js';
import { BulkSaveResult } from './bulk.dto.js';

/** Stays are missing: what their system said depends on the fields, so they follow an undo themselves. */
const kinds: readonly string[] = ['property', 'unit_type', 'unit', 'guest'] satisfies Referable[];

/** A record whose save was undone is no longer as its system said, so its next save is like a first one. */
@Injectable()
export class UndoneSaves implements UndoFollower {
  constructor(
    undoneChanges: UndoneChanges,
    private readonly catalogue: Catalogue,
    private readonly references: ReferencesRepository,
  ) {
    undoneChanges.add(this);
  }

  undone({ orgId }: Caller, { target, action }: UndoneChange): void {
    if (kinds.includes(target.type) && this.isSave(action))
      this.references.unsay(orgId, target.type as Referable, target.id);
  }

  private isSave(action: string): boolean {
    const output = this.catalogue.all().find(({ operation }) => operation.name === action)?.operation.output;
    return output?.kind === 'saved' || output?.view === BulkSaveResult;
  }
}
