/** Conditions of a statement, joined by AND, with their values; `?` stands for a value. */
export class Where {
  private readonly conditions: string[] = [];
  readonly values: unknown[] = [];

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

  get text(): string {
    return this.conditions.length > 0 ? `where ${this.conditions.join(' and ')}` : '';
  }
}
