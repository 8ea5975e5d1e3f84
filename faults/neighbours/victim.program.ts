/**
 * The victim, in a separate process, so that the cost of the attack for its program is not measured: small reads and
 * writes with an ordinary key. A request counts from when it should have been sent.
 */
import { coreTimeOf } from './cores.js';
import type { Sample, VictimData } from './victim.js';

const ownThread = `${process.pid}/task/${process.pid}`;
const everyMs = 50;
const longestMs = 30_000;
const { url, key, taskId } = JSON.parse(process.argv[2] as string) as VictimData;

const requests: readonly [method: string, path: string, body?: object][] = [
  ['GET', `/tasks/${taskId}`],
  ['GET', '/tasks?limit=10'],
  ['PATCH', `/tasks/${taskId}`, { priority: 'high' }],
  ['GET', '/me'],
  ['POST', '/tasks', { name: 'Change the linen' }],
];

async function once(turn: number, dueAt: number): Promise<Sample> {
  const { waitedMs } = coreTimeOf(ownThread);
  const [method, path, body] = requests[turn % requests.length] as (typeof requests)[number];
  const response = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
    body: body && JSON.stringify(body),
    signal: AbortSignal.timeout(longestMs),
  }).catch(() => undefined);
  const text = await response?.text().catch(() => undefined);
  return {
    ms: performance.now() - dueAt,
    waitedMs: coreTimeOf(ownThread).waitedMs - waitedMs,
    status: text === undefined ? 0 : (response?.status ?? 0),
  };
}

async function during(ms: number): Promise<Sample[]> {
  const beganAt = performance.now();
  const asked: Promise<Sample>[] = [];
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const since = performance.now() - beganAt;
      while (asked.length * everyMs <= Math.min(since, ms - 1)) {
        asked.push(once(asked.length, beganAt + asked.length * everyMs));
      }
      if (since < ms) return;
      clearInterval(timer);
      resolve();
    }, everyMs / 5);
  });
  return await Promise.all(asked);
}

process.on('message', (ms: number) => void during(ms).then((samples) => process.send?.(samples)));
