import { readdirSync, readFileSync } from 'node:fs';

const perMs = 1e6;

/** Milliseconds for which threads computed, and for which they waited for a core while they could have computed. */
export interface CoreTime {
  computedMs: number;
  waitedMs: number;
}

const none: CoreTime = { computedMs: 0, waitedMs: 0 };

/** What Linux has counted for a thread since it started; nothing elsewhere, and for one that has ended. */
export function coreTimeOf(thread: string): CoreTime {
  try {
    const [computed = 0, waited = 0] = readFileSync(`/proc/${thread}/schedstat`, 'utf8').split(' ').map(Number);
    return { computedMs: computed / perMs, waitedMs: waited / perMs };
  } catch {
    return none;
  }
}

const sum = (one: CoreTime, other: CoreTime): CoreTime => ({
  computedMs: one.computedMs + other.computedMs,
  waitedMs: one.waitedMs + other.waitedMs,
});

export const less = (one: CoreTime, other: CoreTime): CoreTime => ({
  computedMs: one.computedMs - other.computedMs,
  waitedMs: one.waitedMs - other.waitedMs,
});

const listed = (folder: string): string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};

/** Of all threads of a process except its main one. */
const helpersOf = (pid: number): CoreTime =>
  listed(`/proc/${pid}/task`)
    .filter((thread) => Number(thread) !== pid)
    .map((thread) => coreTimeOf(`${pid}/task/${thread}`))
    .reduce(sum, none);

/** Of a process' children, such as those of PostgreSQL. */
const childrenOf = (pid: number): CoreTime =>
  listed(`/proc/${pid}/task/${pid}`).length === 0
    ? none
    : readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
        .split(' ')
        .filter(Boolean)
        .map((child) => coreTimeOf(child))
        .reduce(sum, none);

/** The total computing time of this machine, in milliseconds. */
function machineMs(): number {
  try {
    const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0] = (
      readFileSync('/proc/stat', 'utf8').split('\n')[0] as string
    )
      .trim()
      .split(/\s+/)
      .slice(1)
      .map(Number);
    return (user + nice + system + irq + softirq) * 10;
  } catch {
    return 0;
  }
}

export type CoreTimes = Record<'loop' | 'threads' | 'postgres' | 'attacker' | 'victim', CoreTime> & {
  machineMs: number;
};

/** Who has used the machine's cores so far. */
export function coreTimes(service: number, postgres: number, victim: number): CoreTimes {
  return {
    loop: coreTimeOf(`${service}/task/${service}`),
    threads: helpersOf(service),
    postgres: childrenOf(postgres),
    attacker: sum(coreTimeOf(`${process.pid}/task/${process.pid}`), helpersOf(process.pid)),
    victim: sum(coreTimeOf(`${victim}/task/${victim}`), helpersOf(victim)),
    machineMs: machineMs(),
  };
}

/** Shares of one core, and of the time for which a thread waited for one. */
export function describeCores(before: CoreTimes, after: CoreTimes, ms: number): string {
  const names = {
    loop: 'event loop',
    threads: 'threads',
    postgres: 'PostgreSQL',
    attacker: 'attacker',
    victim: 'victim',
  };
  const share = (part: number): string => (part / ms).toFixed(2);
  let others = after.machineMs - before.machineMs;
  const parts = (Object.keys(names) as (keyof typeof names)[]).map((who) => {
    const { computedMs, waitedMs } = less(after[who], before[who]);
    others -= computedMs;
    return `${names[who]} ${share(computedMs)} (waited ${share(waitedMs)})`;
  });
  return `cores: ${parts.join(', ')}, other programs ${share(Math.max(0, others))}`;
}
