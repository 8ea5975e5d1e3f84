/** The values of a stream of JSON: one in each line, or in each `data:` line of server-sent events. */
export async function* valuesIn(body: ReadableStream<Uint8Array>): AsyncGenerator<unknown, void> {
  let rest = '';
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
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
