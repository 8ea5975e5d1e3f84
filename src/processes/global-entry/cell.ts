import {
  Agent as HttpAgent,
  type ClientRequest,
  type IncomingMessage,
  request as httpRequest,
  type RequestOptions,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import { unavailable } from '#errors';
import type { Region } from '#regions';
import type { Metrics } from '../../platform/metrics/metrics.js';
import { answerHeaders, requestHeaders } from './headers.js';

/** A cell that is up accepts a connection immediately, from anywhere on earth. */
const connectWithinMs = 2_000;
/**
 * How long a cell may accept nothing of a body; less than a client has for its whole request, so that the client gets
 * an error.
 */
export const takeWithinMs = 10_000;
/**
 * Twice as long as any response of ours delays its head (`Prefer: wait=30`); after that the cell counts as
 * unresponsive.
 */
export const answerWithinMs = 60_000;
const retryAfterSeconds = 5;

/** The request did not reach the cell, so another cell may be tried. */
export class CellUnreached extends Error {}

/** One region's service, and the kept connections to it. */
export class Cell {
  private readonly address: URL;
  private readonly agent: HttpAgent | HttpsAgent;

  constructor(
    readonly region: Region,
    readonly url: string,
    private readonly trustsProxies: boolean,
    private readonly metrics: Metrics,
  ) {
    this.address = new URL(url);
    this.agent =
      this.address.protocol === 'https:' ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });
  }

  /**
   * Forwards the request and returns its response, both as streams. If the client disconnects, its request to the cell
   * ends too; if the response breaks off, it breaks off for the client too. Any part of the request that the cell has
   * not read is discarded, so that the client's next one can be read.
   *
   * @param body the part of the request that was already read; without it, the request's own stream is used.
   * @throws service_unavailable for a cell that does not respond; its cause is CellUnreached if nothing was sent.
   */
  async answer(request: Request, response: Response, body?: Buffer): Promise<void> {
    const outgoing = this.open(request);
    const abort = (): void => void ((response.writableFinished && request.complete) || outgoing.destroy());
    response.once('close', abort);
    outgoing.once('close', () => request.unpipe(outgoing).resume());
    if (body) outgoing.end(body);
    else request.pipe(outgoing);
    const answer = await answerTo(outgoing).catch((error: unknown) => {
      if (!response.destroyed) throw this.isOut(error);
    });
    if (!answer) return;
    response.sendDate = false;
    response.writeHead(answer.statusCode as number, answer.statusMessage, answerHeaders(answer));
    // A stream may be quiet for long; other responses are sent together with their body.
    if (!answer.headers['content-length']) response.flushHeaders();
    await pipeline(answer, response).catch(() => response.destroy());
  }

  close(): void {
    this.agent.destroy();
  }

  private open(request: Request): ClientRequest {
    const { hostname, port, host, protocol } = this.address;
    const { requestId } = request.context;
    const options: RequestOptions = {
      agent: this.agent,
      hostname: hostname.replace(/^\[|\]$/g, ''),
      port,
      method: request.method,
      path: request.originalUrl,
      headers: requestHeaders(request, { host, requestId, trustsProxies: this.trustsProxies }),
    };
    return protocol === 'https:' ? httpsRequest(options) : httpRequest(options);
  }

  private isOut(cause: unknown): Error {
    this.metrics.count('cellOutages', [this.region]);
    const message = `Region ${this.region} is unreachable; other regions are not affected. Try again.`;
    return unavailable(message, retryAfterSeconds, cause);
  }
}

/** @throws CellUnreached if there was no connection; any other error if one broke. */
async function answerTo(outgoing: ClientRequest): Promise<IncomingMessage> {
  return await new Promise((resolve, reject) => {
    let isConnected = false;
    outgoing.once('socket', (socket) => {
      if (!socket.connecting) return void (isConnected = true);
      const timer = setTimeout(() => outgoing.destroy(new Error('No connection in time')), connectWithinMs);
      socket.once('connect', () => (isConnected = true)).once('close', () => clearTimeout(timer));
      socket.once('connect', () => clearTimeout(timer));
    });
    outgoing.setTimeout(takeWithinMs, () => {
      if (outgoing.writableLength > 0) outgoing.destroy(new Error('No data accepted in time'));
    });
    outgoing.once('finish', () => {
      const timer = setTimeout(() => outgoing.destroy(new Error('No response in time')), answerWithinMs);
      outgoing.once('response', () => clearTimeout(timer)).once('close', () => clearTimeout(timer));
    });
    outgoing.once('response', resolve);
    // Kept open: a cell that has responded may close before it has read the whole request.
    outgoing.on('error', (error) => reject(isConnected ? error : new CellUnreached(error.message, { cause: error })));
  });
}
