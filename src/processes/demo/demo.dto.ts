import { Int } from '#operations';

const counted = (description: string) => Int({ description, min: 0, max: 2_147_483_647 });

/** The records that the demo created. */
export class DemoView {
  @counted('Properties.') properties: number;
  @counted('Units.') units: number;
  @counted('Members.') members: number;
  @counted('Number of stays, each with its guest.') reservations: number;
  @counted('Number of tasks, including automatic ones.') tasks: number;
  @counted('Number of locks and thermostats.') devices: number;
  @counted('Comments.') comments: number;
}

/** The records that were loaded. */
export class LoadView {
  @counted('Properties.') properties: number;
  @counted('Guests.') guests: number;
  @counted('Stays.') reservations: number;
  @counted('Tasks.') tasks: number;
}
