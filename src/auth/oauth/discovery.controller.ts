import { Controller, Get, Header, HttpCode, Inject, Options, Req } from '@nestjs/common';
import type { Request } from 'express';
import type { Config } from '../../platform/config/app.config.js';
import { CONFIG } from '../../platform/config/app.config.js';
import { Open } from '../../platform/http/open.js';
import { authorizationServerDocument, protectedResourceDocument } from './discovery-documents.js';
import { isMcpHost } from './resources.js';

const documents = ['oauth-authorization-server', 'oauth-protected-resource', 'oauth-protected-resource/mcp'];

/** The discovery documents. If MCP_URL is a separate host, each host has its own. */
@Controller('.well-known')
@Open({ needsDatabase: false })
export class DiscoveryController {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  @Get('oauth-authorization-server')
  @Header('Access-Control-Allow-Origin', '*')
  @Header('Cache-Control', 'public, max-age=3600')
  authorizationServer(@Req() request: Request) {
    const { baseUrl, mcpUrl, environment } = this.config;
    return authorizationServerDocument(isMcpHost(request, this.config) ? mcpUrl : baseUrl, environment);
  }

  @Get(['oauth-protected-resource', 'oauth-protected-resource/mcp'])
  @Header('Access-Control-Allow-Origin', '*')
  @Header('Cache-Control', 'public, max-age=3600')
  protectedResource(@Req() request: Request) {
    const { baseUrl, mcpUrl } = this.config;
    const isApiHost = baseUrl !== mcpUrl && request.headers.host === new URL(baseUrl).host;
    return protectedResourceDocument(isApiHost ? 'api' : 'mcp', this.config);
  }

  /** Clients in browsers send MCP-Protocol-Version, which asks for a preflight. */
  @Options(documents)
  @HttpCode(204)
  @Header('Access-Control-Allow-Origin', '*')
  @Header('Access-Control-Allow-Methods', 'GET')
  @Header('Access-Control-Allow-Headers', 'mcp-protocol-version')
  @Header('Access-Control-Max-Age', '3600')
  preflight(): void {}
}
