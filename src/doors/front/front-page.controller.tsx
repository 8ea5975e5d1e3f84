import type { Request, Response } from 'express';
import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import { regionNames } from '#regions';
import { type Config, CONFIG } from '../../platform/config/app.config.js';
import { noSuchPath } from '../../platform/http/no-such-path.js';
import { Open } from '../../platform/http/open.js';
import { wantsPage } from '../../platform/http/wants-page.js';
import { renderPage } from '../../platform/pages/page.js';

@Controller()
export class FrontPageController {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /** @throws not_found for programs, to whom this is an unknown address. */
  @Get()
  @Open({ needsDatabase: false, isForBrowsers: true })
  show(@Req() request: Request, @Res() response: Response): void {
    if (!wantsPage(request)) throw noSuchPath();
    renderPage(response, { title: 'Welcome', children: <FrontPage {...this.config} /> });
  }
}

const FrontPage = ({ region, environment, baseUrl, mcpUrl, signUp }: Config) => (
  <section class="panel">
    <h1>Operations for short-term rentals and hotels</h1>
    <p class="soft">
      Tasks, reservations, devices, guest guides, email templates and workflows, for programs over REST and for
      assistants over MCP.
    </p>
    <nav class="choices" aria-label="Get started">
      <a class="button" href="/account">
        Sign in <small>your organizations and your account</small>
      </a>
      {signUp === 'open' && (
        <a class="button" href="/sign-up">
          Create an organization <small>with your email address</small>
        </a>
      )}
      <a class="button" href="/docs">
        API reference <small>every operation, with examples</small>
      </a>
    </nav>
    <h2>Connect an assistant</h2>
    <p>
      Give the assistant this address. It asks you to sign in and to approve its permissions: <code>{mcpUrl}/mcp</code>
    </p>
    <h2>Connect a program</h2>
    <p>
      The API is at <code>{baseUrl}/api/v1</code>. Send an API key, which an administrator creates under{' '}
      <a href="/account/api-keys">API keys</a>. For development tools, there is an{' '}
      <a href="/openapi.json">OpenAPI document</a> and a <a href="/postman.json">Postman collection</a>.
    </p>
    <p class="soft below">
      Region: {regionNames[region]} ({region}).
      {environment === 'test' && ' This is a test environment: its keys begin with sk_test_, and its data is its own.'}
    </p>
  </section>
);
