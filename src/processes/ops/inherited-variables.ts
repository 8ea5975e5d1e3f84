/** The variables that our programs inherit in addition to those that any program needs. */
const ofNode = ['NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS', 'NODE_COMPILE_CACHE', 'NODE_DISABLE_COMPILE_CACHE'];
const ofEvery = [
  ...ofNode,
  'ENVIRONMENT',
  'LOG_LEVEL',
  'ALLOWED_ORIGINS',
  'LIMITS_TIMEOUT_MS',
  'REQUIRE_TLS',
  'VENDOR',
];

/** The global entry: it holds no data, so no address of mail or of a model, and no key. */
export const entryVariables: readonly string[] = ofEvery;

/** A cell; what differs from cell to cell is given to each. */
export const cellVariables: readonly string[] = [
  ...ofEvery,
  'DATABASE_WAIT_MS',
  'WORKER',
  'DRAIN_SECONDS',
  'OVERLOAD_DELAY_MS',
  'OUTBOUND_ALLOW',
  'NOMINATIM_URL',
  'OVERPASS_URL',
  'SMTP_URL',
  'DEMO',
  'SIGN_UP',
  'MODEL_BASE_URL',
  'MODEL_NAME',
  'MODEL_API_KEY',
  'MODEL_TIMEOUT_SECONDS',
];
