import { Int } from '#operations';

const counted = (about: string) => Int({ about, min: 0, max: 2_147_483_647 });

/** What the demo made. */
export class DemoView {
  @counted('Properties.') properties: number;
  @counted('Units.') units: number;
  @counted('Members.') members: number;
  @counted('Stays, each with its guest.') reservations: number;
  @counted('Tasks, automatic ones included.') tasks: number;
  @counted('Locks and thermostats.') devices: number;
  @counted('Comments.') comments: number;
}

/** What was loaded. */
export class LoadView {
  @counted('Properties.') properties: number;
  @counted('Guests.') guests: number;
  @counted('Stays.') reservations: number;
  @counted('Tasks.') tasks: number;
}
