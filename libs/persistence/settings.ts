import type { Statement } from './batch.js';
import { uuidIn } from './ids.js';

export const organizationSetting = (orgId: string | null): Statement[] =>
  orgId === null
    ? []
    : [{ name: 'organization', text: "select set_config('app.org_id', $1, true)", values: [uuidIn(orgId)] }];

/**
 * PostgreSQL plans each statement once for a connection, instead of each time where it finds the plan for these values
 * cheaper: planning takes longer than what the statements of a transaction do, which look up few rows by their ids.
 */
export const plannedOnce = { plan_cache_mode: 'force_generic_plan' };

/** The same as `organizationSetting` for a transaction that writes. */
export const organizationWork = (orgId: string | null): Statement[] =>
  orgId === null
    ? []
    : [
        {
          name: 'organization-work',
          text: "select set_config('app.org_id', $1, true), set_config('plan_cache_mode', $2, true)",
          values: [uuidIn(orgId), plannedOnce.plan_cache_mode],
        },
      ];

export const setAll =
  'select set_config(name, value, true) from unnest($1::text[], $2::text[]) as settings (name, value)';

export const timeLimit = (ms: number): Statement => ({
  name: 'time-limit',
  text: "select set_config('transaction_timeout', $1, true)",
  values: [String(ms)],
});

export const onePlan: Statement = {
  name: 'one-plan',
  text: "select set_config('plan_cache_mode', $1, true)",
  values: [plannedOnce.plan_cache_mode],
};

export const deferredConstraints: Statement = {
  name: 'constraints',
  text: 'set constraints all immediate',
  values: [],
};
