import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { beside, further, type Outcome, outcomeOf, valuesOf } from '#errors';
import { mapInTurns } from '#turns';
import { EventsService } from '../../platform/events/events.service.js';
import { together } from '../../platform/events/together.js';
import { ReferencesRepository } from '../../tenancy/references/references.repository.js';
import type { VersionedReference } from './by-reference.dto.js';
import { refuseForm } from './push-connections.js';
import { saveOf } from './saved-content.js';
import { type Context, namesOf, type SavedInBulk, type Saver } from './saves-by-reference.service.js';

type Item<Content> = Omit<VersionedReference, 'connectionId'> & Content;

/** Creates the new records of a bulk together. */
@Injectable()
export class NewSaves {
  constructor(
    private readonly references: ReferencesRepository,
    private readonly events: EventsService,
  ) {}

  /** @returns undefined if one of them is in the way of the others, so that each must be saved for itself. */
  async save<Content extends object, View extends { id: string }>(
    caller: Caller,
    saver: Saver<Content, View>,
    context: Context,
    items: readonly Item<Content>[],
  ): Promise<Outcome<SavedInBulk>[] | undefined> {
    const createAll = saver.createAll?.bind(saver);
    if (!createAll || items.length === 0) return undefined;
    const { connection, names } = context;
    const contents = await mapInTurns(items, (item) =>
      outcomeOf(() => {
        const { externalId, sourceVersion, ...content } = item;
        refuseForm(connection, sourceVersion);
        const resolved = names.resolve<Content>(content as unknown as Content);
        const externalRefs = namesOf(connection, externalId, content);
        return { externalId, save: saveOf(content, sourceVersion), content: { ...resolved, externalRefs } };
      }),
    );
    const create = () =>
      further(contents, async (some) => {
        const wanted = some.map((one) => one.content);
        const created = await createAll(caller, connection, wanted);
        return beside(some, created, ({ externalId, save }, { id: recordId }) => ({ externalId, recordId, save }));
      });
    return await together(this.events, async () => {
      const outcomes = await create();
      const of = { resource: saver.resource, connectionId: connection.id };
      this.references.save(caller.orgId, of, valuesOf(outcomes));
      return beside(outcomes, outcomes, (_, { recordId: id, save: { contentHash } }) => ({
        id,
        outcome: 'created',
        contentHash,
      }));
    });
  }
}
