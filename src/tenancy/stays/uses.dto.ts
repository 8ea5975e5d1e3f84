import { ListOf } from '#operations';

export class StaysDetails {
  @ListOf({ id: 'reservation' }, { description: 'Current and future stays that use it.', max: 1_000 })
  reservationIds: string[];
}

export class UnitsAndStaysDetails extends StaysDetails {
  @ListOf({ id: 'unit' }, { description: 'Units of the type.', max: 1_000 }) unitIds: string[];
}
