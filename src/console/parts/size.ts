const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** A number of bytes as a person reads it, to a tenth of its unit. */
export function sizeOf(bytes: number): string {
  let [amount, unit] = [bytes, 0];
  while (amount >= 1_024 && unit < units.length - 1) [amount, unit] = [amount / 1_024, unit + 1];
  return `${amount.toLocaleString('en', { maximumFractionDigits: 1 })} ${units[unit]}`;
}
