/** The clock of the machine. */
const Machine = globalThis.Date;
let bySeconds = 0;

const now = (): number => Machine.now() + bySeconds * 1_000;

/** `Date` with another present. */
const Shifted = new Proxy(Machine, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length > 0 ? args : [now()], newTarget) as object,
  apply: () => new Machine(now()).toString(),
  get: (target, name) => (name === 'now' ? now : (Reflect.get(target, name) as unknown)),
});

/** How far the time of this process is ahead of the machine's. */
export const shiftedBy = (): number => bySeconds;

/** Moves the time of this process, which is `Date`. Timers are not affected. Without a shift, `Date` stays as it is. */
export function shiftTime(seconds: number): void {
  if (seconds === bySeconds) return;
  bySeconds = seconds;
  globalThis.Date = Shifted;
}
