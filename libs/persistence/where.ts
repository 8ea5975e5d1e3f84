/** Conditions of a statement, joined by AND, with their values; `?` stands for a value. */
export class Where {
  private readonly conditions: string[] = [];
  readonly values: unknown[] = [];
  /** Whether a statement with these conditions is to be planned for its values each time. */
  plannedByValue = false;

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

  /** Adds the condition only where there is a value. */
  when(value: unknown, condition: string): this {
    return value === undefined ? this : this.and(condition, value);
  }

  /** As `when`, for a condition that few rows meet with one value and most with another: a span of time, a rare word. */
  whenWithin(value: unknown, condition: string): this {
    if (value !== undefined) this.plannedByValue = true;
    return this.when(value, condition);
  }

  get text(): string {
    return this.conditions.length > 0 ? `where ${this.conditions.join(' and ')}` : '';
  }
}
