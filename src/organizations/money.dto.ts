import { Int, Pattern } from '#operations';

const currency = { pattern: /^[A-Z]{3}$/, max: 3, says: 'Give an ISO 4217 currency code such as EUR.' };

export class Money {
  @Int({ about: 'The amount in the smallest unit of the currency.', min: 0, max: 1_000_000_000_000 })
  amountMinor: number;

  @Pattern({ about: 'ISO 4217 currency code.', ...currency })
  currency: string;
}
