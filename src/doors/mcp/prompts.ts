/** What a person can ask for by name; the text names the calls, so that any model finds its way. */
export interface PromptText {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly { readonly name: string; readonly description: string; readonly required?: boolean }[];
  /** @param given the arguments, by their names. */
  text(this: void, given: Readonly<Record<string, string>>): string;
}

const property = { name: 'property', description: 'Name of the property; default: all of them.' };
const at = (given: Readonly<Record<string, string>>): string =>
  given.property ? ` at ${given.property} (its id is in listProperties)` : '';
const start = 'Call getMe with brief=true for the date and the time zone.';

export const prompts: readonly PromptText[] = [
  {
    name: 'morning_briefing',
    title: 'Morning briefing',
    description: 'Arrivals, departures, rooms that are not ready, and tasks of a day.',
    arguments: [{ name: 'date', description: 'Date such as 2026-11-23; default: today.' }, property],
    text: (given) => `Brief me for ${given.date ?? 'today'}${at(given)}. ${start}
1. getDay with the date: who arrives, leaves and stays, at which local time, what is clean, and which tasks are open.
2. listTasks with priority=urgent and dueBefore: what is urgent or overdue elsewhere.
3. getRoomBoard of a property where rooms are not ready: why, and which other rooms are.
Begin with what needs a decision before the first arrival. Use names, no ids, and local times. Change nothing.`,
  },
  {
    name: 'turnover_plan',
    title: 'Turnover plan',
    description: 'The cleanings between departures and arrivals of a day, and who does them.',
    arguments: [{ name: 'date', description: 'Date such as 2026-11-23; default: tomorrow.' }, property],
    text: (given) => `Plan the turnovers of ${given.date ?? 'tomorrow'}${at(given)}. ${start}
1. getDay with the date: the places that guests leave and arrive at, and by when they must be clean.
2. listTasks with type=cleaning for that day: what is planned already. listMembers: who can do it.
3. Show me a table of place, departure, next arrival, cleaning and assignee, and what is missing.
4. When I agree, createTask for each missing cleaning with reservationId, dueAt and assigneeIds, and changeTasksInBulk with action=assign for the others.`,
  },
  {
    name: 'guest_arrival_check',
    title: 'Guest arrival check',
    description: 'Whether everything is ready for one stay.',
    arguments: [{ name: 'guest', description: 'Name of the guest, or a confirmation code.', required: true }],
    text: (given) => `Check that everything is ready for the stay of ${given.guest}. ${start}
1. listReservations with q or guestName: the stay, its place and its arrival.
2. getProperty, and listAllUnits where the stay has a unit: is the place clean and ready?
3. listTasks with reservationId: what is open before the arrival.
4. listDevices with propertyId: are locks online and batteries full? Is there an access code for the stay?
Answer ready or not ready, then what is missing and what you would do. Change nothing before I agree.`,
  },
  {
    name: 'maintenance_report',
    title: 'Maintenance report',
    description: 'Open and finished repairs of a period, by place.',
    arguments: [{ name: 'since', description: 'First date, such as 2026-11-01; default: 30 days ago.' }, property],
    text: (given) => `Report the maintenance since ${given.since ?? '30 days ago'}${at(given)}. ${start}
1. listTasks with type=maintenance and updatedSince; follow meta.pagination.nextCursor to the end. Again with type=issue.
2. listTaskComments for what is urgent or older than a week.
Group by place: open (with age, priority and assignee), finished, cost. End with recurring problems. Change nothing.`,
  },
];
