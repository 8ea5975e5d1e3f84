import { Get, Param, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { asset } from '../../../platform/pages/assets.js';
import { renderPage } from '../../../platform/pages/page.js';
import { PageController } from '../../../platform/pages/page-controller.js';
import { textKey } from '../translations/texts.js';
import { GuidePage } from './guide-page.js';
import { closestLocale, directionOf } from './locales.js';
import { PublicGuidesRepository } from './public-guides.repository.js';
import { readingIn } from './reading.js';

const sheet = asset(new URL('./guide.css', import.meta.url));
/** So short that what was taken offline is soon gone everywhere. */
const maxAgeSeconds = 60;

/** Where guests read what is published, in the language that the address asks for or that their browser prefers. */
@PageController()
export class PublicGuidesController {
  constructor(private readonly guides: PublicGuidesRepository) {}

  @Get('guides/:slug')
  async show(
    @Param('slug') slug: string,
    @Query('locale') asked: unknown,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const content = await this.guides.find(slug);
    // A guide may hold codes of doors: it is for those who have its address.
    response.set({ Vary: 'Accept-Language', 'X-Robots-Tag': 'noindex' });
    if (!content) return notThere(response);
    const offered = [content.sourceLocale, ...content.targetLocales];
    const locale =
      asked === undefined
        ? request.acceptsLanguages(offered) || content.sourceLocale
        : (closestLocale(offered, asked) ?? content.sourceLocale);
    response.set('Content-Language', locale);
    renderPage(response, {
      title: readingIn(content, locale)(textKey.name, content.name).text,
      published: { lang: locale, dir: directionOf(locale), sheet, maxAgeSeconds },
      children: <GuidePage content={content} locale={locale} />,
    });
  }
}

const notThere = (response: Response): void =>
  renderPage(response, {
    title: 'Guide not found',
    status: 404,
    published: { lang: 'en', dir: 'ltr', sheet, maxAgeSeconds },
    children: (
      <section class="panel">
        <h1>Guide not found</h1>
        <p>It may have moved. Ask your host for the new address.</p>
      </section>
    ),
  });
