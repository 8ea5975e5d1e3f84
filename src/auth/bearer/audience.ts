import type { Config } from '../../platform/config/app.config.js';

/** The single audience of access tokens, valid at both hosts (RFC 8707). */
export const audienceOf = ({ mcpUrl }: Pick<Config, 'mcpUrl'>): string => `${mcpUrl}/mcp`;
