/** Whether the guests of a stay (r) are still there although they should have left before the day. */
export const isOverdueOn = (day: string): string =>
  `r.status = 'confirmed' and r.stay_status = 'checked_in' and r.check_out_date < ${day}`;
