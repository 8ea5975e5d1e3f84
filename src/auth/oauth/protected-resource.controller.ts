import { Controller, Get, Header, Inject, Req } from '@nestjs/common';
import type { Request } from 'express';
import type { Config } from '../../app.config.js';
import { CONFIG } from '../../app.config.js';
import { Open } from '../../edge/open.js';
import { audienceOf } from './resources.js';
import { readScopes } from './scopes.js';

/**
 * What a client that was answered 401 reads to find the authorization server (RFC 9728). The scopes are those to begin
 * with; refreshing is the authorization server's to offer (MCP 2026-07-28).
 */
@Controller('.well-known/oauth-protected-resource')
@Open()
export class ProtectedResourceController {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  @Get(['', 'mcp'])
  @Header('Access-Control-Allow-Origin', '*')
  @Header('Cache-Control', 'public, max-age=3600')
  document(@Req() request: Request) {
    const { baseUrl, mcpUrl } = this.config;
    const isApiHost = request.headers.host === new URL(baseUrl).host && baseUrl !== mcpUrl;
    return {
      resource: isApiHost ? baseUrl : audienceOf(this.config),
      resource_name: 'Property Operations',
      authorization_servers: [baseUrl],
      scopes_supported: readScopes,
      bearer_methods_supported: ['header'],
    };
  }
}
