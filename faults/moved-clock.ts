/**
 * Loaded before the service (`node --import`): moves its `Date` ahead by the milliseconds in the file FAULTS_CLOCK, so
 * that tomorrow's retry runs today. Timers are not changed.
 */
import { readFileSync } from 'node:fs';

const file = process.env.FAULTS_CLOCK as string;
const RealDate = Date;
let aheadMs = 0;

const read = (): void => void (aheadMs = Number(readFileSync(file, 'utf8')) || 0);
read();
setInterval(read, 50).unref();

class MovedDate extends RealDate {
  constructor(...given: [] | [number | string | Date]) {
    if (given.length === 0) super(MovedDate.now());
    else super(...given);
  }

  static override now(): number {
    return RealDate.now() + aheadMs;
  }
}

globalThis.Date = MovedDate as DateConstructor;
