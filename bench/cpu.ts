import { readdirSync, readFileSync } from 'node:fs';

/** Nanoseconds of CPU by thread. */
export type CpuTimes = ReadonlyMap<string, number>;

/**
 * The CPU time of a process, its descendants and all their threads so far. Read from the scheduler (Linux), which
 * counts nanoseconds; the usual user and system times count in hundredths of a second.
 */
export function cpuTimesOf(pid: number): CpuTimes {
  const times = new Map<string, number>();
  for (const process of treeOf(pid)) {
    for (const thread of entries(`/proc/${process}/task`)) {
      times.set(thread, Number(read(`/proc/${process}/task/${thread}/schedstat`).split(' ')[0]));
    }
  }
  return times;
}

/** Microseconds used between two readings. A process that ended in between loses only its last share. */
export function cpuMicrosBetween(before: CpuTimes, after: CpuTimes): number {
  let nanoseconds = 0;
  for (const [thread, used] of after) nanoseconds += used - (before.get(thread) ?? 0);
  return nanoseconds / 1_000;
}

/** Resident memory of a process and its descendants in MB; shared pages count once for each holder. */
export function residentMegabytesOf(pid: number): number {
  const kilobytes = treeOf(pid).map((process) =>
    Number(/VmRSS:\s+(\d+)/.exec(read(`/proc/${process}/status`))?.[1] ?? 0),
  );
  return kilobytes.reduce((sum, value) => sum + value, 0) / 1_024;
}

function treeOf(root: number): number[] {
  const children = new Map<number, number[]>();
  for (const name of entries('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    // The program's name is in parentheses and may contain any character; the parent is the second field after it.
    const parent = Number(read(`/proc/${name}/stat`).split(') ').at(-1)?.split(' ')[1]);
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const tree = [root];
  for (const process of tree) tree.push(...(children.get(process) ?? []));
  return tree;
}

/** A process that has ended since it was listed has no entry. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function entries(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
