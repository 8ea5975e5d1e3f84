import type { Statement } from './batch.js';
import { uuidIn } from './ids.js';

export const organizationSetting = (orgId: string | null): Statement[] =>
  orgId === null
    ? []
    : [{ name: 'organization', text: "select set_config('app.org_id', $1, true)", values: [uuidIn(orgId)] }];

export const setAll =
  'select set_config(name, value, true) from unnest($1::text[], $2::text[]) as settings (name, value)';

export const timeLimit = (ms: number): Statement => ({
  name: 'time-limit',
  text: "select set_config('transaction_timeout', $1, true)",
  values: [String(ms)],
});

export const onePlan: Statement = {
  name: 'one-plan',
  text: "select set_config('plan_cache_mode', 'force_generic_plan', true)",
  values: [],
};

export const deferredConstraints: Statement = {
  name: 'constraints',
  text: 'set constraints all immediate',
  values: [],
};
