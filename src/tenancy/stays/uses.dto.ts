import { ListOf } from '#operations';

export class StaysDetails {
  @ListOf({ id: 'reservation' }, { description: 'Stays that use it, now or later.', max: 1_000 })
  reservationIds: string[];
}

export class UnitsAndStaysDetails extends StaysDetails {
  @ListOf({ id: 'unit' }, { description: 'Units of the type.', max: 1_000 }) unitIds: string[];
}
