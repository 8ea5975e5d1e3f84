/** When something was requested and when it was answered, by one clock, in milliseconds. */
export interface Span {
  from: number;
  to: number;
}

/**
 * The shortest time in which `count` of them surely lie, from the first request to the last response; else Infinity.
 */
export function shortestOf(count: number, spans: readonly Span[]): number {
  const inOrder = spans.toSorted((one, other) => one.from - other.from);
  const lasting = inOrder.slice(count - 1).map((_, first) => {
    const many = inOrder.slice(first, first + count);
    return Math.max(...many.map(({ to }) => to)) - Math.min(...many.map(({ from }) => from));
  });
  return Math.min(...lasting);
}
