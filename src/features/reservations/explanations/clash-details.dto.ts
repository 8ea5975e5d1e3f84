import { CalendarDate, Id, ListOfObjects, ObjectOf, OneOf, Text } from '#operations';
import { Explanation, FullNight } from '../../../tenancy/stays/explanation.dto.js';
import { reservationSources, type ReservationSource } from '../reservation.dto.js';

export class OtherStay {
  @Id('reservation', { description: 'Stay that has the nights.' }) id: string;
  @CalendarDate({ description: 'Its first night.' }) checkInDate: string;
  @CalendarDate({ description: 'Its departure date.' }) checkOutDate: string;
  @OneOf(reservationSources, { description: 'Source of the stay.' }) source: ReservationSource;
}

export class BlockInTheWay {
  @Id('block', { description: 'Block of the nights.' }) blockId: string;
  @Id('unit', { description: 'Blocked unit; null: the whole property.', nullable: true }) unitId: string | null;
  @Text({ description: 'Kind of block.', max: 50 }) kind: string;
  @CalendarDate({ description: 'First night.' }) from: string;
  @CalendarDate({ description: 'Day after the last night; null: without end.', nullable: true }) until: string | null;
  @Text({ description: 'Reason.', nullable: true, max: 10_000 }) reason: string | null;
}

class Explained {
  @ObjectOf(() => Explanation, { description: 'Alternatives.', optional: true })
  explanation?: Explanation;
}

export class OverlapDetails extends Explained {
  @ListOfObjects(() => OtherStay, { description: 'Stays that have the nights.', max: 1_000 }) reservations: OtherStay[];
}

export class BlockedDetails extends Explained {
  @ObjectOf(() => BlockInTheWay, { description: 'The first block that prevents it.' }) block: BlockInTheWay;
}

export class NightsTakenDetails extends OverlapDetails {
  @ObjectOf(() => BlockInTheWay, { description: 'The first block that prevents it.', optional: true })
  block?: BlockInTheWay;
  @Id('unittype', { description: 'Unit type that is full.', optional: true }) unitTypeId?: string;
  @ListOfObjects(() => FullNight, { description: 'Nights without a unit left.', optional: true, max: 1_100 })
  nights?: FullNight[];
}
