/** The calendar's day in a time zone (`sv` writes dates as ISO 8601 does). */
export const dayIn = (timezone: string, at: Date = new Date()): string =>
  new Intl.DateTimeFormat('sv', { timeZone: timezone }).format(at);
