import { Inject, Injectable } from '@nestjs/common';
import { Outbound, OutboundError, type OutboundRequest } from '#outbound';
import { CONFIG, type Config } from '../../../platform/config/app.config.js';
import { version } from '../../../platform/config/version.js';
import { mapDataUnavailable } from '../guides.errors.js';

const maxBytes = 10 * 1_048_576;
const timeoutMs = 25_000;

/** Requests to servers of map data go through the outbound guard and carry our name, as their policies require. */
@Injectable()
export class MapRequests {
  private readonly userAgent: string;

  constructor(
    @Inject(CONFIG) { baseUrl }: Config,
    private readonly outbound: Outbound,
  ) {
    this.userAgent = `property-operations-service/${version} (${baseUrl})`;
  }

  /**
   * @throws provider_error if the server is unreachable or does not respond with JSON, unless the request was aborted.
   */
  async json(url: string, request: OutboundRequest = {}): Promise<unknown> {
    const headers = { 'User-Agent': this.userAgent, Accept: 'application/json', ...request.headers };
    try {
      const { status, body } = await this.outbound.fetch(url, { maxBytes, timeoutMs, ...request, headers });
      if (status !== 200) throw mapDataUnavailable(`it returned ${status}`);
      return JSON.parse(body.toString('utf8')) as unknown;
    } catch (error) {
      request.signal?.throwIfAborted();
      if (error instanceof OutboundError) throw mapDataUnavailable(error.message, error);
      if (error instanceof SyntaxError) throw mapDataUnavailable('its response is not JSON', error);
      throw error;
    }
  }
}
