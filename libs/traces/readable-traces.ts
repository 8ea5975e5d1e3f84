import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { fileURLToPath } from 'node:url';

const bundle = new URL('../../bundle/', import.meta.url).href;
const place = /file:\/\/\S+\/dist\/bundle\/([\w-]+\.js):(\d+):(\d+)/;
const maps = new Map<string, SourceMap>();

/**
 * Has stack traces name the places in our sources rather than those in the bundle. A map is read once a trace needs it;
 * `--enable-source-maps` of Node would read them all at every start, which is a quarter of a start.
 */
export function nameSourcesInTraces(): void {
  Error.prepareStackTrace = (error, calls) =>
    [headOf(error), ...calls.map((call) => `    at ${written(call).replace(place, sourceOf)}`)].join('\n');
}

/** V8's call sites say themselves where they are; their published type lacks it. */
const written = (call: NodeJS.CallSite & { toString(): string }): string => call.toString();

function headOf(error: Error): string {
  try {
    return Error.prototype.toString.call(error);
  } catch {
    return 'Error';
  }
}

function sourceOf(bundled: string, file: string, line: string, column: string): string {
  try {
    const origin = mapOf(file).findOrigin(Number(line), Number(column));
    if (!('fileName' in origin)) return bundled;
    const { fileName, lineNumber, columnNumber } = origin;
    return `${fileURLToPath(new URL(fileName, bundle))}:${lineNumber}:${columnNumber}`;
  } catch {
    return bundled;
  }
}

function mapOf(file: string): SourceMap {
  const known = maps.get(file);
  if (known) return known;
  const read = new SourceMap(JSON.parse(readFileSync(new URL(`${file}.map`, bundle), 'utf8')) as SourceMapPayload);
  maps.set(file, read);
  return read;
}
