import { Get, HttpCode, Param, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import { PageController } from '../../../platform/pages/page-controller.js';
import { renderPage } from '../../../platform/pages/page.js';
import { UnsubscribeService } from './unsubscribe.service.js';

/**
 * Where the link in a marketing message leads. Opening it changes nothing, because mail scanners open links; the button
 * does, and so does a mail program's one-click request (RFC 8058), which has neither cookie nor form token.
 */
@PageController()
export class UnsubscribeController {
  constructor(private readonly unsubscribe: UnsubscribeService) {}

  @Get('unsubscribe/:token')
  async ask(@Param('token') token: string, @Res() response: Response): Promise<void> {
    const sender = await this.unsubscribe.sender(token);
    renderPage(response, {
      title: 'Unsubscribe',
      children: (
        <>
          <h1>Unsubscribe</h1>
          <p>{sender} will not send you any more marketing emails. You will still receive messages about your stays.</p>
          <form method="post">
            <button type="submit">Unsubscribe</button>
          </form>
        </>
      ),
    });
  }

  @Post('unsubscribe/:token')
  @HttpCode(200)
  async confirm(@Param('token') token: string, @Res() response: Response): Promise<void> {
    await this.unsubscribe.unsubscribe(token);
    renderPage(response, {
      title: 'Unsubscribed',
      children: (
        <>
          <h1>Unsubscribed</h1>
          <p role="status">You will not receive any more marketing emails.</p>
        </>
      ),
    });
  }
}
