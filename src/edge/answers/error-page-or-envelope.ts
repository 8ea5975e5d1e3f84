import type { Request, Response } from 'express';
import { type Answer, asServiceError } from '#errors';
import { sendError } from '../../platform/http/error-envelope.js';
import { wantsPage } from '../../platform/http/wants-page.js';
import { AddressLimitExceeded } from '../../platform/limits/address-limit-exceeded.js';
import { renderErrorPage } from '../../platform/pages/error-page.js';

/** Answers with an error: a page if a person asked, and the envelope to programs. */
export function sendPageOrEnvelope(request: Request, response: Response, error: unknown, envelope: Answer): void {
  if (wantsPage(request)) sendPage(request, response, error);
  else sendError(response, envelope);
}

/** For a person: addresses of ours that they may have mistyped, and pages that failed before they began. */
function sendPage({ context: { requestId } }: Request, response: Response, error: unknown): void {
  const isMissing = asServiceError(error).status === 404;
  renderErrorPage(response, error, {
    requestId,
    message: isMissing ? 'There is no page at this address. Check how it is spelled.' : forPeople(error),
    next: { href: '/', label: 'Go to the start page' },
  });
}

const forPeople = (error: unknown): string | undefined =>
  error instanceof AddressLimitExceeded ? error.forPeople : undefined;
