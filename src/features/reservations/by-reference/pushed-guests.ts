import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { further, type Outcome, outcomeOf } from '#errors';
import { readInput } from '#operations';
import { mapInTurns } from '#turns';
import { newMetadata } from '../../../outside/by-reference/new-records.js';
import type { Saver } from '../../../outside/by-reference/saves-by-reference.service.js';
import type { Connection } from '../../../outside/connections/connection.entity.js';
import { CreateGuest, type GuestView, type UpdateGuest } from '../guest.dto.js';
import { GuestsService } from '../guests.service.js';
import type { GuestContent } from './pushed-stay.dto.js';

type Content = Parameters<Saver<GuestContent, GuestView>['create']>[2];

/** How guests are saved under the ids of another system. */
@Injectable()
export class PushedGuests implements Saver<GuestContent, GuestView> {
  readonly resource = 'guest';

  constructor(private readonly guests: GuestsService) {}

  get(caller: Caller, guestId: string): Promise<GuestView> {
    return this.guests.get(caller, guestId);
  }

  create(caller: Caller, _connection: Connection, content: Content): Promise<GuestView> {
    return this.guests.create(caller, readInput(CreateGuest, { ...content, ...newMetadata(content) }));
  }

  async createAll(
    caller: Caller,
    _connection: Connection,
    contents: readonly Content[],
  ): Promise<Outcome<GuestView>[]> {
    const inputs = await mapInTurns(contents, (content) =>
      outcomeOf(() => readInput(CreateGuest, { ...content, ...newMetadata(content) })),
    );
    return await further(inputs, (some) => this.guests.createAll(caller, some));
  }

  async change(caller: Caller, _connection: Connection, guestId: string, changes: Content) {
    const { version } = await this.guests.get(caller, guestId);
    const record = await this.guests.update(caller, { ...(changes as Omit<UpdateGuest, 'guestId'>), guestId });
    return { record, outcome: record.version === version ? ('unchanged' as const) : ('changed' as const) };
  }
}
