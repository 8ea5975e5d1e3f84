/** What wakes those who follow the events of an organization. */
export const eventTopic = (orgId: string): string => `events/${orgId}`;
