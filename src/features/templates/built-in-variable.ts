import type { TemplateVariable } from './template.dto.js';

/** What every template may name without declaring it: the service fills it in. */
export const builtIn: TemplateVariable = { key: 'unsubscribeUrl', type: 'url', required: true, fallback: null };
