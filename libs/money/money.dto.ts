import { Int, Pattern } from '#operations';

const currency = { pattern: /^[A-Z]{3}$/, max: 3, message: 'Pass an ISO 4217 currency code such as EUR.' };

export class Money {
  @Int({ description: 'Amount in the smallest unit of the currency, such as cents.', min: 0, max: 1_000_000_000_000 })
  amountMinor: number;

  @Pattern({ description: 'ISO 4217 currency code.', ...currency })
  currency: string;
}
