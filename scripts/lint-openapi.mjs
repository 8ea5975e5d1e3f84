// Lints docs/openapi.json with redocly.yaml.
import { formatProblems, getTotals, lint, loadConfig } from '@redocly/openapi-core';

const config = await loadConfig({ configPath: 'redocly.yaml' });
const problems = await lint({ ref: config.apis.service.root, config });
const totals = getTotals(problems);
if (totals.errors + totals.warnings > 0) formatProblems(problems, { format: 'codeframe', totals });
process.exitCode = totals.errors > 0 ? 1 : 0;
