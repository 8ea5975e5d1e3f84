import { CalendarDate, ListOf, ListOfObjects, Text } from '#operations';
import { ThisConnection } from '../../../outside/connections/connection.dto.js';

export const mostReconciled = 5_000;

export class SavedContent {
  @Text({ description: 'Your id of the stay.', max: 200 }) externalId: string;
  @Text({ description: 'contentHash that your last save returned.', max: 50 }) hash: string;
}

export class ReconcileReservations extends ThisConnection {
  @ListOfObjects(() => SavedContent, { description: 'What you saved.', max: mostReconciled }) items: SavedContent[];
  @CalendarDate({ description: 'Look for unlisted stays with nights from this date on.', optional: true })
  from?: string;
  @CalendarDate({ description: 'Look for unlisted stays with nights before this date.', optional: true })
  until?: string;
  @Text({ description: 'nextCursor of the previous response, for more unlisted stays.', max: 500, optional: true })
  cursor?: string;
}

export class UnknownStay {
  @Text({ description: 'Your id of the stay.', max: 200 }) externalId: string;
  @Text({ description: 'Reservation id (reservation_…).', max: 60 }) id: string;
}

export class Reconciliation {
  @ListOf({ text: 200 }, { description: 'Ids without a record. Save them again.', max: mostReconciled })
  missing: string[];
  @ListOf(
    { text: 200 },
    { description: 'Ids whose last save had other content. Save them again.', max: mostReconciled },
  )
  different: string[];
  @ListOfObjects(() => UnknownStay, {
    description: 'Stays of the connection on these nights that are not listed and not cancelled; empty without nights.',
    max: mostReconciled,
  })
  unknown: UnknownStay[];
  @Text({ description: 'cursor for more unlisted stays; null if these are all.', max: 500, nullable: true })
  nextCursor: string | null;
}
