import { Context, Liquid } from 'liquidjs';
import { Unrenderable } from './unrenderable.js';

/** Limits in milliseconds of processor time, characters and liquidjs' own measure of memory: far more than a letter needs. */
const limits = { parseLimit: 200_000, renderLimit: 250, memoryLimit: 100_000 };
const maxOutput = 256 * 1_024;
/** The time to parse Liquid grows with the square of its length; letters have a few hundred characters of it. */
const maxLiquid = 10_000;

/** Tags that would read other templates. The filter `raw` is removed too, because it would output values unescaped. */
const tagsLeftOut = ['include', 'render', 'layout', 'block'];

function engine(outputEscape?: 'escape'): Liquid {
  const liquid = new Liquid({ ...limits, templates: {}, ownPropertyOnly: true, strictFilters: true, outputEscape });
  for (const tag of tagsLeftOut) delete liquid.tags[tag];
  liquid.unregisterFilter('raw');
  return liquid;
}

/** Liquid in HTML escapes every value; plain text needs no escaping. */
const engines = { html: engine('escape'), text: engine() };
export type Kind = keyof typeof engines;

/**
 * Limits that all texts of a letter share. liquidjs compares the time of a clock, in which a busy machine may have done
 * other work, so that it would reject letters for the load of others.
 */
function limitsOfLetter(): Pick<Context, 'renderLimit' | 'memoryLimit'> {
  const { renderLimit, memoryLimit } = new Context({}, engines.text.options);
  const check = renderLimit.check.bind(renderLimit);
  const until = processorMs() + limits.renderLimit;
  renderLimit.check = () => check(processorMs() > until ? Infinity : 0);
  return { renderLimit, memoryLimit };
}

/** The processor time of this thread, in milliseconds. */
function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** Renders the texts of one letter, which share its limits on time, memory and length. */
export class Filling {
  private readonly limits = limitsOfLetter();
  private length = 0;

  constructor(private readonly scope: object) {}

  /**
   * @throws Unrenderable if it is not valid Liquid, or the letter takes too long or too much memory, or exceeds 256
   *   KiB.
   */
  fill(kind: Kind, text: string): string {
    const liquid = engines[kind];
    const context = new Context(this.scope, liquid.options, { sync: true }, { ...this.limits, liquid });
    const { result, fault } = attempt(text, () => liquid.renderSync(liquid.parse(text), context) as string);
    if (result === undefined) throw new Unrenderable(`${fault}.`);
    this.length += result.length;
    if (this.length > maxOutput) throw new Unrenderable('it would be longer than 256 KiB.');
    return result;
  }
}

/**
 * The names that a text uses but does not define, with dots: `guest.name`; or the reason why it is not valid Liquid.
 */
export function readLiquid(text: string): { variables: string[]; fault?: string } {
  const { result, fault } = attempt(text, () => engines.text.globalFullVariablesSync(text, { partials: false }));
  return { variables: result ?? [], fault };
}

function attempt<T>(text: string, work: () => T): { result?: T; fault?: string } {
  if (liquidIn(text) > maxLiquid) return { fault: `more than ${maxLiquid} characters of it are Liquid` };
  try {
    return { result: work() };
  } catch (error) {
    return { fault: (error as Error).message };
  }
}

/** The number of characters inside `{{ }}` and `{% %}`. */
function liquidIn(text: string): number {
  let length = 0;
  for (let at = text.indexOf('{'); at >= 0; at = text.indexOf('{', at)) {
    const closing = { '{': '}}', '%': '%}' }[text.charAt(at + 1)];
    const end = closing ? text.indexOf(closing, at + 2) : at + 1;
    if (end < 0) break;
    if (closing) length += end - at;
    at = end;
  }
  return length;
}
