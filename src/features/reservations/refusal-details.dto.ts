import { Id, Int, ListOf } from '#operations';

export class OtherTypeDetails {
  @Id('unittype', { description: 'Type of the unit.', nullable: true }) unitTypeId: string | null;
  @Id('unittype', { description: 'Type that was booked.', nullable: true }) bookedUnitTypeId: string | null;
}

export class OwnedFieldsDetails {
  @ListOf({ text: 100 }, { description: 'Fields that the other system owns.', max: 100 }) fields: string[];
}

export class MergedDetails {
  @Id('guest', { description: 'Guest to use instead.' }) mergedInto: string;
}

export class StaysToComeDetails {
  @Int({ description: 'Future stays.', min: 0, max: 10_000_000 }) stays: number;
}
