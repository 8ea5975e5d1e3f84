const mostNamed = 500;

/**
 * The same text is prepared once per connection, under one short name. Filters combine to more texts than a server
 * should keep, and a client chooses them, so those beyond the first many are parsed each time.
 */
export class StatementNames {
  private readonly names = new Map<string, string>();

  of(text: string): string | undefined {
    let name = this.names.get(text);
    if (!name && this.names.size < mostNamed) this.names.set(text, (name = `s${this.names.size}`));
    return name;
  }
}
