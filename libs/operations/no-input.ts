/** Of an operation that takes no field. */
export class NoInput {}
