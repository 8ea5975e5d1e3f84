import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { beside, further, type Outcome, outcomeOf, valuesOf } from '#errors';
import { mapInTurns } from '#turns';
import { EventsService } from '../../platform/events/events.service.js';
import { together } from '../../platform/events/together.js';
import { type Known, ReferencesRepository } from '../../tenancy/references/references.repository.js';
import type { VersionedReference } from './by-reference.dto.js';
import { refuseForm } from './push-connections.js';
import { differing, isSaved, saveOf } from './saved-content.js';
import type { Context, SavedInBulk, Saver } from './saves-by-reference.service.js';

type Item<Content> = Omit<VersionedReference, 'connectionId'> & Content;

/** Changes the known records of a bulk together. */
@Injectable()
export class KnownSaves {
  constructor(
    private readonly references: ReferencesRepository,
    private readonly events: EventsService,
  ) {}

  /** @returns undefined if one of them is in the way of the others, so that each must be saved for itself. */
  async save<Content extends object, View extends { id: string }>(
    caller: Caller,
    saver: Saver<Content, View>,
    { connection, names }: Context,
    items: readonly (Item<Content> & { known: Known })[],
  ): Promise<Outcome<SavedInBulk>[] | undefined> {
    const changeAll = saver.changeAll?.bind(saver);
    if (!changeAll || items.length === 0) return undefined;
    const read = await mapInTurns(items, (item) =>
      outcomeOf(() => {
        const { externalId, sourceVersion, known, ...content } = item;
        refuseForm(connection, sourceVersion);
        const save = saveOf(content, sourceVersion);
        const isRepeated = isSaved(known, save);
        const changes = isRepeated ? {} : differing(content, save, known, saver.initially);
        return { externalId, recordId: known.recordId, save, isRepeated, changes: names.resolve(changes as Content) };
      }),
    );
    const change = () =>
      further(read, async (some) => {
        const said = some.map(({ recordId: id, changes }) => ({ id, changes }));
        const changed = await changeAll(caller, connection, said);
        return beside(some, changed, (one, outcome) => ({ ...one, outcome }));
      });
    return await together(this.events, async () => {
      const outcomes = await change();
      const saved = valuesOf(outcomes).filter(({ isRepeated }) => !isRepeated);
      this.references.save(caller.orgId, { resource: saver.resource, connectionId: connection.id }, saved);
      return beside(outcomes, outcomes, (_, { recordId: id, outcome, save: { contentHash } }) => ({
        id,
        outcome,
        contentHash,
      }));
    });
  }
}
