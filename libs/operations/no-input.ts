/** The input of an operation without fields. */
export class NoInput {}
