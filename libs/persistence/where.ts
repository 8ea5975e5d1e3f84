/** A text to search for, in the rows of a list or with an index over all rows. */
export interface Search {
  /** Whether a row contains the text, from its own columns. */
  inRow: string;
  /** What the index has the ids of. */
  column: string;
  /** A function that returns these ids, for the same rows. */
  ids: string;
}

/** Conditions of a statement, joined by AND, with their values; `?` stands for a value. */
export class Where {
  private readonly conditions: string[] = [];
  readonly values: unknown[] = [];
  /** Places of values that differ between the pages of one list. */
  private readonly moments = new Set<number>();
  /** Whether a statement with these conditions needs a custom plan for its values each time. */
  customPlan = false;
  /** Whether the page is of what changed since a time. */
  isSince = false;
  /** What `Table.page` searches for in steps. */
  search?: Search;
  /** Whether an index that contains all conditions finds the ids of a page, and `Table.page` reads only their rows. */
  idsFirst = false;
  /** Places of the values that say which page this is: of the id before it, and of its rows. */
  private page?: readonly [before: number, rows: number];

  and(condition: string, ...values: unknown[]): this {
    let next = 0;
    this.conditions.push(
      condition.replaceAll('?', () => {
        this.values.push(values[next]);
        next += 1;
        return `$${this.values.length}`;
      }),
    );
    return this;
  }

  /** Adds the condition only if there is a value. */
  when(value: unknown, condition: string): this {
    return value === undefined ? this : this.and(condition, value);
  }

  /** Like `when`, for a condition that few rows meet with one value and most with another: a period, a rare word. */
  whenWithin(value: unknown, condition: string): this {
    if (value !== undefined) this.customPlan = true;
    return this.when(value, condition);
  }

  /** A condition in which the first `?` stands for the present moment. */
  andNow(condition: string, ...values: unknown[]): this {
    this.moments.add(this.values.length);
    this.customPlan = true;
    return this.and(condition, new Date().toISOString(), ...values);
  }

  /**
   * For a list by id, newest first, in which all other conditions follow from this one: a function finds only the rows of a
   * page. Its last two `?` stand for the id before the page and for its rows; null, for all rows.
   */
  andOfPage(condition: string, ...values: unknown[]): this {
    this.page = [this.values.length + values.length, this.values.length + values.length + 1];
    return this.and(condition, ...values, null, null);
  }

  /** Says which page `andOfPage` is to find; after this, `identity` is no longer that of the list. */
  showPage(before: string | null, rows: number): void {
    if (this.page) [this.values[this.page[0]], this.values[this.page[1]]] = [before, rows];
  }

  /** What makes a list this one, for all of its pages. */
  get identity(): readonly unknown[] {
    return [this.text, this.values.map((value, index) => (this.moments.has(index) ? null : value))];
  }

  /** What changed at a time or later: `Table.page` sorts it by that time, and shows no change that others could precede. */
  since(time: string | undefined): this {
    this.isSince = time !== undefined;
    return this.whenWithin(time, 'updated_at >= ?::timestamptz');
  }

  /** Looks for a text among the rows of a page (`Table.page` alone); `?` stands for the value. */
  searching(value: unknown, { inRow, column, ids }: Search): this {
    if (value === undefined) return this;
    const place = `$${this.values.push(value)}`;
    this.search = { inRow: inRow.replace('?', place), column, ids: ids.replace('?', place) };
    return this;
  }

  get text(): string {
    return this.conditions.length > 0 ? `where ${this.conditions.join(' and ')}` : '';
  }
}
