/**
 * The values of a stream of JSON: one in each line, or in each `data:` line of server-sent events.
 *
 * @param signal ends it; fetch forgets the signal of a request as soon as the request is collected as garbage.
 */
export async function* valuesIn(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<unknown, void> {
  let rest = '';
  for await (const text of body.pipeThrough(new TextDecoderStream(), signal && { signal })) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    yield* lines.flatMap(valueOf);
  }
  yield* valueOf(rest);
}

function valueOf(line: string): unknown[] {
  const json = /^(?:data:)?\s*(\{.*)$/.exec(line)?.[1];
  return json ? [JSON.parse(json)] : [];
}
