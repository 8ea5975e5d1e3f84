import type { Account } from '../../src/outside/connections/connection-provider.js';
import type { Credentials } from '../../src/outside/connections/connection.dto.js';
import { Connection } from '../../src/outside/connections/connection.entity.js';

/** An account at a provider that no service knows. */
export const accountOf = <Settings>(
  provider: string,
  settings: Settings,
  credentials: Credentials,
): Account<Settings> => ({
  connection: Object.assign(new Connection(), { provider, kind: 'device' }),
  settings,
  credentials,
});
