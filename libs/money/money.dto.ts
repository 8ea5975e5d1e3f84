import { Currency, Int } from '#operations';

export class Money {
  @Int({ description: 'Amount in the smallest unit of the currency, such as cents.', min: 0, max: 1_000_000_000_000 })
  amountMinor: number;

  @Currency({ description: 'ISO 4217 currency code.' })
  currency: string;
}
