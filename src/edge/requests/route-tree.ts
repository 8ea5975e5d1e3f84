/** The values below one beginning of a path. */
interface Branch<T> {
  readonly fixed: Map<string, Branch<T>>;
  /** What any other part leads to. */
  parameter?: Branch<T>;
  /** What the path leads to if it ends here, by HTTP method. */
  readonly ends: Map<string, { value: T; names: readonly string[] }>;
}

export interface Route<T> {
  value: T;
  parameters: Record<string, string>;
}

const branch = <T>(): Branch<T> => ({ fixed: new Map(), ends: new Map() });

/** Finds what a method and a path lead to, in as many steps as the path has parts. */
export class RouteTree<T> {
  private readonly root = branch<T>();

  /** @param path with parameters in braces: `/tasks/{taskId}`. */
  add(method: string, path: string, value: T): void {
    const names: string[] = [];
    let at = this.root;
    for (const part of path.slice(1).split('/')) {
      const [, name] = /^\{(\w+)\}$/.exec(part) ?? [];
      if (name !== undefined) {
        names.push(name);
        at = at.parameter ??= branch();
      } else {
        if (!at.fixed.has(part)) at.fixed.set(part, branch());
        at = at.fixed.get(part) as Branch<T>;
      }
    }
    at.ends.set(method, { value, names });
  }

  /** @param path percent-encoded; it can be decoded. */
  find(method: string, path: string): Route<T> | undefined {
    return below(this.root, method, path.slice(1).split('/'), []);
  }
}

/** A part that is fixed goes before a parameter. */
function below<T>(
  at: Branch<T>,
  method: string,
  parts: readonly string[],
  given: readonly string[],
): Route<T> | undefined {
  const [part, ...rest] = parts;
  if (part === undefined) {
    const end = at.ends.get(method);
    return (
      end && {
        value: end.value,
        parameters: Object.fromEntries(end.names.map((name, i) => [name, given[i] as string])),
      }
    );
  }
  const fixed = at.fixed.get(part);
  const found = fixed && below(fixed, method, rest, given);
  if (found || part === '' || !at.parameter) return found;
  return below(at.parameter, method, rest, [...given, decodeURIComponent(part)]);
}
