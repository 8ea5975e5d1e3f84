import type { Response } from 'express';
import { asServiceError } from '#errors';
import { messageOf } from './messages.js';
import { renderPage } from './page.js';

const unexpected = 'Something went wrong';
const titles: Record<number, string> = {
  403: 'Not allowed',
  404: 'Not found',
  429: 'Too many requests',
  503: 'Temporarily unavailable',
};

/** For people, instead of the message for programs. */
const sentences: Record<number, string> = {
  500: `${unexpected} on our side. Please try again.`,
  503: 'The service is busy or unreachable. Try again in a few seconds.',
};

interface ErrorPage {
  requestId: string;
  /** Replaces the error's own message, which may be written for programs. */
  message?: string;
  /** Where to continue from here. */
  next: { href: string; label: string };
}

/** Sends an error as a page, in words for the person who reads it. */
export function renderErrorPage(response: Response, error: unknown, { requestId, message, next }: ErrorPage): void {
  const told = asServiceError(error);
  const { status, headers } = told;
  const title = titles[status] ?? unexpected;
  const sentence = sentences[status] ?? message ?? messageOf(told);
  response.set(headers);
  renderPage(response, {
    title,
    status,
    children: (
      <section class="panel">
        <h1>{title}</h1>
        <p role="alert">{sentence}</p>
        <p class="soft">Request {requestId}</p>
        <p class="below">
          <a href={next.href}>{next.label}</a>
        </p>
      </section>
    ),
  });
}
