import type { SeamHttp, SeamHttpApiError } from 'seam';
import { type Outbound, OutboundError, type OutboundRequest } from '#outbound';
import type { Account } from '../../../outside/connections/connection-provider.js';
import type { CodeAnswer, Failure } from '../../../features/devices/providers/device-answers.js';
import type { SeamSettings } from '../../../features/devices/providers/seam/seam-settings.dto.js';

const usualEndpoint = 'https://connect.getseam.com';
const maxBytes = 10 * 1_024 * 1_024;

/** Of an access code it says too which rule it broke. */
export type SeamFailure = Failure & Pick<Extract<CodeAnswer, Failure>, 'reason'>;

/** Seam's codes for what may pass: a device or a hub that is away for the moment, or too many requests. */
export const mayPass = (code: string): boolean => /offline|disconnected|unavailable|busy|rate_limit/.test(code);

/** Seam's own client, all of whose requests go out through the guard, each once. */
export class SeamClients {
  /** One for all requests: axios keeps what it makes of it for good. */
  private readonly fetch: (request: URL | Request | string) => Promise<Response>;

  constructor(outbound: Outbound) {
    this.fetch = async (given) => {
      const request = given as Request;
      const body = Buffer.from(await request.arrayBuffer());
      const answer = await outbound.fetch(request.url, {
        method: request.method as OutboundRequest['method'],
        headers: Object.fromEntries(request.headers),
        ...(body.length > 0 && { body }),
        maxBytes,
        signal: request.signal,
      });
      const text = answer.status === 204 ? null : answer.body.toString('utf8');
      return new Response(text, { status: answer.status, headers: answer.headers });
    };
  }

  /** Asks; whatever goes wrong is one of the port's answers. */
  async ask<T>(
    { settings, credentials }: Account<SeamSettings>,
    signal: AbortSignal,
    question: (seam: SeamHttp) => Promise<T>,
  ): Promise<T | SeamFailure> {
    // Loaded with the first question: it is large, and most have no lock of Seam's.
    const { isSeamHttpApiError, SeamHttp } = await import('seam');
    let seam: SeamHttp;
    try {
      seam = SeamHttp.fromApiKey(credentials.apiKey ?? '', {
        endpoint: settings.endpoint ?? usualEndpoint,
        waitForActionAttempt: false,
        axiosOptions: { adapter: 'fetch', env: { fetch: this.fetch }, signal },
        axiosRetryOptions: { retries: 0 },
      });
    } catch {
      // What is no key of Seam's is told so by the client itself.
      return { outcome: 'refused', retryable: false };
    }
    try {
      return await question(seam);
    } catch (error) {
      return failureOf(error, isSeamHttpApiError);
    }
  }
}

export const isFailure = (answer: object): answer is SeamFailure => 'outcome' in answer;

function failureOf(error: unknown, isTold: (error: unknown) => error is SeamHttpApiError): SeamFailure {
  const { cause, response } = error as { cause?: unknown; response?: { status?: unknown } };
  if (cause instanceof OutboundError && (cause.failure === 'refused' || cause.failure === 'unreachable')) {
    return { outcome: 'unreachable' };
  }
  const status = isTold(error) ? error.statusCode : response?.status;
  const code = isTold(error) ? error.code : '';
  if (typeof status !== 'number' || status < 400 || status >= 500 || status === 408) return { outcome: 'unknown' };
  const reason = reasonOf(code);
  return { outcome: 'refused', retryable: status === 429 || mayPass(code), ...(reason && { reason }) };
}

function reasonOf(code: string): SeamFailure['reason'] {
  if (code.includes('duplicate')) return 'duplicate';
  return /limit|too_many|no_space/.test(code) && !code.includes('rate') ? 'no-free-slot' : undefined;
}
