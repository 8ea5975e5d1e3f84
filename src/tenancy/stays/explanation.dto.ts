import { CalendarDate, Id, Int, ListOfObjects, ObjectOf, OneOf, OpenObject, Text } from '#operations';

export class NightsWanted {
  @Id('property', { description: 'Property of the nights.' }) propertyId: string;
  @Id('unit', { description: 'Requested unit, if any.', nullable: true }) unitId: string | null;
  @Id('unittype', { description: 'Type of the unit, if it has one.', nullable: true }) unitTypeId: string | null;
  @CalendarDate({ description: 'First night.' }) from: string;
  @CalendarDate({ description: 'Day after the last night; null: without end.', nullable: true }) until: string | null;
}

export class NightsHolder {
  @OneOf(['reservation', 'block', 'unit_type'], { description: 'What has the nights; unit_type: its other stays.' })
  type: 'reservation' | 'block' | 'unit_type';

  @Text({ description: 'Its id.', max: 64 }) id: string;
  @CalendarDate({ description: 'First night that it has.' }) from: string;
  @CalendarDate({ description: 'Day after the last one; null: without end.', nullable: true }) until: string | null;
}

export class Option {
  @Text({ description: 'What the call does.', max: 200 }) description: string;
  @Text({ description: 'Operation to call.', max: 100 }) operation: string;
  @OpenObject({
    description: 'Ids, place, and nights or hours; add the other fields of your request, such as the guest.',
  })
  input: object;
}

/** Why nights cannot be had, and calls that succeed as long as nothing else changes. */
export class Explanation {
  @ObjectOf(() => NightsWanted, { description: 'The requested nights.' }) wants: NightsWanted;
  @ListOfObjects(() => NightsHolder, { description: 'What has the nights.', max: 1_100 }) holds: NightsHolder[];
  @ListOfObjects(() => Option, { description: 'Alternatives, best first.', max: 10 }) options: Option[];
}

export class FullNight {
  @CalendarDate({ description: 'Night.' }) date: string;
  @Int({ description: 'Units that can be sold.', min: 0, max: 100_000 }) units: number;
  @Int({ description: 'Stays that have them.', min: 0, max: 100_000 }) taken: number;
}

export class UnitTypeFullDetails {
  @Id('unittype', { description: 'Unit type that is full.' }) unitTypeId: string;
  @ListOfObjects(() => FullNight, { description: 'Nights without a unit left.', max: 1_100 }) nights: FullNight[];
  @ObjectOf(() => Explanation, { description: 'Alternatives.', optional: true })
  explanation?: Explanation;
}
