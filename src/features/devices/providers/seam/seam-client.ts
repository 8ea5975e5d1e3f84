import { type Outbound, type OutboundAnswer, OutboundError } from '#outbound';
import type { Account } from '../../../../outside/connections/connection-provider.js';
import type { CodeAnswer, Failure } from '../device-answers.js';
import type { SeamSettings } from './seam-settings.dto.js';

const usualEndpoint = 'https://connect.getseam.com';
/** The version of Seam's API that the paths and fields of this folder belong to. */
const apiVersion = '1.0.0';
const maxBytes = 10 * 1_024 * 1_024;
/** Client session tokens, publishable keys and access tokens have the same prefix, but are not API keys. */
const apiKey = /^seam_(?!cst|pk|at)/;

/** For an access code, it also says which rule the code broke. */
export type SeamFailure = Failure & Pick<Extract<CodeAnswer, Failure>, 'reason'>;

/** Seam's response, by the name of its content: `device`, `action_attempt`. Nothing in it has been validated. */
export type SeamAnswer = Record<string, unknown>;

/** Calls one of Seam's endpoints, named by its path without the leading slash: `locks/lock_door`. */
export type SeamCall = (path: string, body: object) => Promise<SeamAnswer>;

/** Seam's codes for temporary errors: a device or a hub that is offline, or too many requests. */
export const mayPass = (code: string): boolean => /offline|disconnected|unavailable|busy|rate_limit/.test(code);

class SeamError extends Error {
  /** @param code Seam's type of error, such as `device_offline`; empty if it gave none. */
  constructor(
    readonly status: number,
    readonly code: string,
  ) {
    super(`Seam answered ${status} ${code}`);
  }
}

/** Seam's API (docs.seam.co): each request is sent once, through the guard. */
export class SeamClient {
  constructor(private readonly outbound: Outbound) {}

  /** Sends a request. Every failure is one of the port's answers. */
  async ask<T>(
    { settings, credentials }: Account<SeamSettings>,
    signal: AbortSignal,
    question: (call: SeamCall) => Promise<T>,
  ): Promise<T | SeamFailure> {
    const key = credentials.apiKey ?? '';
    if (!apiKey.test(key)) return { outcome: 'refused', retryable: false };
    const endpoint = settings.endpoint ?? usualEndpoint;
    try {
      return await question((path, body) => this.call(`${endpoint}/${path}`, key, body, signal));
    } catch (error) {
      return failureOf(error);
    }
  }

  private async call(url: string, key: string, body: object, signal: AbortSignal): Promise<SeamAnswer> {
    const answer = await this.outbound.fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'seam-lts-version': apiVersion },
      body: JSON.stringify(body),
      maxBytes,
      signal,
    });
    if (answer.status < 200 || answer.status >= 300) throw new SeamError(answer.status, codeOf(answer));
    return JSON.parse(answer.body.toString('utf8')) as SeamAnswer;
  }
}

/** Every record of a list, page by page (docs.seam.co/latest/api/pagination). */
export async function allPages(call: SeamCall, path: string, name: string): Promise<unknown[]> {
  const found: unknown[] = [];
  let cursor: unknown;
  do {
    const answer = await call(path, cursor === undefined ? {} : { page_cursor: cursor });
    found.push(...(answer[name] as unknown[]));
    const page = answer.pagination as { has_next_page?: boolean; next_page_cursor?: unknown } | undefined;
    cursor = page?.has_next_page ? page.next_page_cursor : undefined;
  } while (cursor);
  return found;
}

export const isFailure = (answer: object): answer is SeamFailure => 'outcome' in answer;

function codeOf({ body }: OutboundAnswer): string {
  try {
    const { error } = JSON.parse(body.toString('utf8')) as { error?: { type?: unknown } };
    return typeof error?.type === 'string' ? error.type : '';
  } catch {
    // A proxy in between may respond with a page, so only the status is used.
    return '';
  }
}

function failureOf(error: unknown): SeamFailure {
  if (error instanceof OutboundError && (error.failure === 'refused' || error.failure === 'unreachable')) {
    return { outcome: 'unreachable' };
  }
  if (!(error instanceof SeamError)) return { outcome: 'unknown' };
  const { status, code } = error;
  if (status < 400 || status >= 500 || status === 408) return { outcome: 'unknown' };
  const reason = reasonOf(code);
  return { outcome: 'refused', retryable: status === 429 || mayPass(code), ...(reason && { reason }) };
}

function reasonOf(code: string): SeamFailure['reason'] {
  if (code.includes('duplicate')) return 'duplicate';
  return /limit|too_many|no_space/.test(code) && !code.includes('rate') ? 'no-free-slot' : undefined;
}
