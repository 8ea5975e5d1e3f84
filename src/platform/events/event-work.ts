/** The kinds of work that look for rows again when an event that concerns them is committed, by name. */
export const eventWork = {
  deliveries: 'deliveries',
  failingDeliveries: 'failing-deliveries',
  workflowEvents: 'workflow-events',
} as const;
