/** Reports the progress of a start. */
export interface Narrator {
  /** What happens now, within the current step. */
  readonly say: (line: string) => void;
  /** A step, and how long it takes. */
  during<T>(step: string, work: () => Promise<T>): Promise<T>;
}

const write = (text: string): void => void process.stdout.write(text);

/** For programs: lines, and none about steps. */
export const plainNarrator: Narrator = {
  say: (line) => write(`${line}\n`),
  during: (_, work) => work(),
};

const everyMs = 500;
const clear = '\r\u001b[K';

/** For a person at a terminal: one line a step, which counts the seconds until the step has ended. */
export const terminalNarrator = (): Narrator => {
  let current: string | undefined;
  return {
    say: (line) => {
      if (current === undefined) write(`${line}\n`);
      else current = line;
    },
    during: async (step, work) => {
      const startedAt = performance.now();
      const seconds = () => (performance.now() - startedAt) / 1_000;
      current = step;
      const show = () => write(`${clear}  ${current} … ${Math.round(seconds())} s`);
      show();
      const timer = setInterval(show, everyMs).unref();
      try {
        const result = await work();
        write(`${clear}  ✓ ${step}, ${seconds().toFixed(1)} s\n`);
        return result;
      } catch (error) {
        write(`${clear}  ✗ ${step}\n`);
        throw error;
      } finally {
        clearInterval(timer);
        current = undefined;
      }
    },
  };
};
