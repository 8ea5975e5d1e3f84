import type { Request, Response } from 'express';
import type { ComponentChildren } from 'preact';
import { Get, Post, Req, Res, UseGuards } from '@nestjs/common';
import { may, type RequestCaller } from '#access';
import { type Answer, forbidden, notFound, ServiceError } from '#errors';
import type { Operation } from '#operations';
import { enrollmentPath } from '../../auth/accounts/session.js';
import { SessionsService } from '../../auth/accounts/sessions.service.js';
import { RateLimitGuard } from '../../edge/limits/rate-limit.guard.js';
import { SheddingGuard } from '../../edge/overload/shedding.guard.js';
import { readQuery } from '../../platform/http/rest-input.js';
import { FormsService } from '../../platform/pages/forms.service.js';
import { RecordNames, withNames } from '../../auth/approvals-page/record-names.repository.js';
import { PageCalls } from '../../platform/pages/page-calls.service.js';
import { PageController } from '../../platform/pages/page-controller.js';
import { renderPage } from '../../platform/pages/page.js';
import { pathWith, SeeOther } from '../../platform/pages/see-other.js';
import { consolePages } from '../pages.js';
import { BeyondOperations } from './beyond-operations.js';
import { type ConsoleForm, type ConsolePage, matched } from './console-page.js';
import { ConsoleGuard, visitorOf } from './console.guard.js';
import { frameOf, Shown } from './layout.js';
import { withMoments } from './moments.js';
import { inputOf, type Refusing, refusalOf, staysInTheWay } from './submitted.js';
import { typedInput } from './typed-input.js';
import type { Visit } from './visit.js';
import { wrongFilters } from './wrong-filters.js';

const shownAtOnce = 40;
/** Stays that are named where they are in the way of a form. */
const mostInTheWay = 5;

/** Every page of the console, and every form on one: each request passes the guards once, and each operation its own. */
@PageController({ isCounted: false })
@UseGuards(ConsoleGuard, SheddingGuard, RateLimitGuard)
export class ConsoleController {
  constructor(
    private readonly forms: FormsService,
    private readonly sessions: SessionsService,
    private readonly calls: PageCalls,
    private readonly names: RecordNames,
    private readonly beyond: BeyondOperations,
  ) {}

  @Get(['console/:slug', 'console/:slug/*path'])
  async show(@Req() request: Request, @Res() response: Response): Promise<void> {
    const { page, visit } = this.visitOf(request);
    await this.render(response, page, visit);
  }

  @Post(['console/:slug', 'console/:slug/*path'])
  async submit(@Req() request: Request, @Res() response: Response): Promise<void> {
    const { page, visit } = this.visitOf(request);
    const fields = await this.forms.read(request, visit.signedIn, true);
    const form = page.forms?.find(({ operation }) => operation.name === fields.operation);
    if (!form) throw notFound('form', 'Reload the page.');
    if (form.isSensitive) this.sessions.requireFreshFor(request, visit.signedIn, { fields, page: visit.here });
    const { operation } = form;
    const refuse = async (error: Refusing, status: number): Promise<void> => {
      const { message, ...refused } = refusalOf(error, form, fields);
      const ids = staysInTheWay(error).slice(0, mostInTheWay);
      const stays = await Promise.all(ids.map(async (id) => ({ id, name: await this.named(visit, id) })));
      const named = { ...refused, message: await this.named(visit, message), stays };
      await this.render(response, page, { ...visit, refused: named }, status);
    };
    const input = await inputOf(form, fields, visit);
    if (input instanceof ServiceError) return await refuse(input, input.status);
    const { answer, isWithheld } = await this.calls.perform(request, visit.caller, operation, input, fields);
    if (answer.code !== undefined) return await refuse(answer, answer.status);
    if (form.outcome) {
      const done = await this.named(visit, form.outcome((answer.value as { data: object }).data));
      return await this.render(response, page, { ...visit, done });
    }
    if (operation.showsSecret === undefined) throw new SeeOther(placeAfter(visit, form, answer));
    await this.render(response, page, { ...visit, made: madeBy(operation, answer, isWithheld) });
  }

  /** A sentence with the names of the records whose ids it has, as far as the person may see them, and its times on their clock. */
  private async named({ caller, membership }: Visit, sentence: string): Promise<string> {
    return withMoments(withNames(sentence, await this.names.in(caller, sentence)), membership.timezone);
  }

  private visitOf(request: Request): { page: ConsolePage; visit: Visit } {
    const { signedIn, membership, memberships } = visitorOf(request);
    const caller = request.context.caller as RequestCaller;
    const base = `/console/${membership.slug}`;
    const [path = ''] = request.originalUrl.split('?');
    const { done, doneTo, ...query } = readQuery(request.originalUrl);
    const here = Object.keys(query).length > 0 ? pathWith(path, query) : path;
    if (caller.secondFactorMissing) throw new SeeOther(enrollmentPath(here, true));
    const { page, params } = pageAt(path.slice(base.length + 1));
    const { timezone } = membership;
    const ask: Visit['ask'] = (operation, input) => this.calls.ask(request, caller, operation, input);
    const problems: Record<string, string> = {};
    const list: Visit['list'] = async (operation, filters, fixed) => {
      const chosen = Object.fromEntries([...filters, 'cursor'].map((name) => [name, query[name]]));
      const input = { limit: shownAtOnce, ...typedInput(operation, chosen, timezone), ...fixed };
      try {
        return await ask(operation, input as never);
      } catch (error) {
        const wrong = wrongFilters(error, operation, filters);
        if (!wrong) throw error;
        Object.assign(problems, wrong);
        return { items: [], limit: shownAtOnce, nextCursor: null };
      }
    };
    const permits: Visit['may'] = (permission) => may(caller, permission);
    const who = { signedIn, caller, membership, memberships };
    return {
      page,
      visit: {
        ...who,
        base,
        path,
        here,
        params,
        query,
        ask,
        list,
        problems,
        ...this.beyond.for(request, who),
        may: permits,
        done: done && sentenceAfter(page, done),
        doneTo,
      },
    };
  }

  /** @throws authorization_error where the role does not permit what the page is about. */
  private async contentOf({ needs, show }: ConsolePage, visit: Visit): Promise<ComponentChildren> {
    if (needs && !visit.may(needs)) throw forbidden('Your role does not permit this. Ask an owner or a manager.');
    return await show(visit);
  }

  private async render(response: Response, page: ConsolePage, visit: Visit, status = 200): Promise<void> {
    const { content, shownAs } = await this.contentOf(page, visit).then(
      (shown) => ({ content: shown, shownAs: Object.keys(visit.problems).length > 0 ? 400 : status }),
      (error: unknown) => {
        if (!(error instanceof ServiceError) || error.status >= 500) throw error;
        return { content: error, shownAs: visit.refused ? status : error.status };
      },
    );
    const waiting = await visit.approvals('pending');
    renderPage(response, {
      title: `${page.title} · ${visit.membership.organization}`,
      status: shownAs,
      frame: frameOf(page, visit, { approvals: waiting.length }),
      children: <Shown page={page} visit={visit} content={content} />,
    });
  }
}

/** @throws not_found_error */
function pageAt(asked: string): { page: ConsolePage; params: Record<string, string> } {
  for (const page of consolePages) {
    const params = matched(page, asked);
    if (params) return { page, params };
  }
  throw notFound('page', 'Check its address.');
}

/** What a form of this page did, or one of another page that leads here. */
function sentenceAfter(page: ConsolePage, done: string): string | undefined {
  const leading = consolePages.flatMap(({ forms = [] }) => forms).filter(({ next }) => next);
  return [...(page.forms ?? []), ...leading].find(({ operation }) => operation.name === done)?.done;
}

function placeAfter(
  { base, path, query }: Visit,
  { operation, next, isRemembered }: ConsoleForm,
  { value }: Answer,
): string {
  const { data } = value as { data: { id: string } };
  const done = { done: operation.name, ...(isRemembered && { doneTo: data.id }) };
  return next ? pathWith(`${base}/${next(data)}`, done) : pathWith(path, { ...query, ...done });
}

const madeBy = ({ title, showsSecret = '' }: Operation, { value }: Answer, isWithheld: boolean) => ({
  title,
  secret: isWithheld ? null : ((value as unknown as { data: Record<string, string> }).data[showsSecret] as string),
});
