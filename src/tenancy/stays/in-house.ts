/** Whether the guests of a stay (r) are still there although they should have left before the day. */
export const isOverdueOn = (day: string): string =>
  `r.status = 'confirmed' and r.stay_status = 'checked_in' and r.check_out_date < ${day}`;

/** Whether the guests of a stay (r) are there before its first night, which others may have until then. As its index has it. */
export const isEarlyOn = (day: string): string =>
  `r.status = 'confirmed' and r.stay_status = 'checked_in' and r.check_in_date > ${day} and r.check_out_date > ${day}`;

/** The day at the property on which the guests of a stay came. */
export const cameOn = (stay: string): string => `(${stay}.checked_in_at at time zone ${stay}.timezone)::date`;
