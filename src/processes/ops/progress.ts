const silentMs = 2_000;
const everyMs = 1_000;
const clear = '\r\u001b[K';

/** What a person at a terminal sees of a command that takes more than two seconds. */
export async function showingProgress<T>(words: readonly string[], work: () => Promise<T>): Promise<T> {
  const { stderr } = process;
  if (!stderr.isTTY) return await work();
  const name = words
    .filter((word) => !word.startsWith('--'))
    .slice(0, 2)
    .join(' ');
  const startedAt = performance.now();
  let isShown = false;
  const timer = setInterval(() => {
    const elapsedMs = performance.now() - startedAt;
    if (elapsedMs < silentMs || isAsking) return;
    isShown = true;
    stderr.write(`${clear}${name} … ${Math.round(elapsedMs / 1_000)} s`);
  }, everyMs).unref();
  try {
    return await work();
  } finally {
    clearInterval(timer);
    if (isShown) stderr.write(clear);
  }
}

let isAsking = false;

/** Shows no progress while a person is asked for something. */
export async function asking<T>(ask: () => Promise<T>): Promise<T> {
  isAsking = true;
  try {
    return await ask();
  } finally {
    isAsking = false;
  }
}
