import { Int, Pattern, Timestamp } from '#operations';

export class AdvanceClock {
  @Pattern({
    description: 'Time to advance the clock by, as an ISO 8601 duration of weeks, days, hours, minutes and seconds.',
    pattern: /^P(?=\d|T\d)(\d{1,9}W)?(\d{1,9}D)?(T(?=\d)(\d{1,9}H)?(\d{1,9}M)?(\d{1,9}S)?)?$/,
    max: 60,
    message: 'Pass a duration such as P30D or PT1H30M.',
    example: 'P30D',
    optional: true,
  })
  by?: string;
  @Timestamp({ description: 'Time to move the clock to; instead of by.', optional: true }) to?: string;
}

export class ClockView {
  @Timestamp({ description: 'Current time of this environment.' }) now: string;
  @Int({
    description: 'Seconds by which it is ahead of real time.',
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
  })
  offsetSeconds: number;
}
