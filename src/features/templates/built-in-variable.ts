import type { TemplateVariable } from './template.dto.js';

/** The variables that every template may use without declaring them. The service fills them in. */
export const builtIn: TemplateVariable = { key: 'unsubscribeUrl', type: 'url', required: true, fallback: null };
