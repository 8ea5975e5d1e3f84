import { Readable } from 'node:stream';
import { Injectable, type OnModuleDestroy, StreamableFile } from '@nestjs/common';
import { type Caller, may } from '#access';
import type { RequestContext } from '#context';
import { ServiceError } from '#errors';
import { type Operation, type Output, type Stream, viewOf } from '#operations';
import { CredentialsService } from '../../auth/bearer/credentials.service.js';
import { Readiness } from '../../platform/health/readiness.js';

/** Comments that keep an idle connection open. */
const keepAliveEveryMs = 15_000;
/** How long a credential that has lost its permission can still listen. */
const recheckEveryMs = 5_000;
const reconnectAfterMs = 1_000;
/** Records that arrive together are sent together, because each chunk costs as much as writing many records. */
const chunkLength = 16_384;

/** Sends records one by one: as server-sent events (WHATWG HTML, section 9.2), or as lines of JSON. */
@Injectable()
export class RecordStreams implements OnModuleDestroy {
  private isClosing = false;

  constructor(
    private readonly readiness: Readiness,
    private readonly credentials: CredentialsService,
  ) {}

  onModuleDestroy(): void {
    this.isClosing = true;
  }

  events(context: RequestContext, operation: Operation, records: Stream<{ id: string }>): StreamableFile {
    return streamed(this.frames(context, operation, records), 'text/event-stream; charset=utf-8');
  }

  lines(context: RequestContext, operation: Operation, records: AsyncIterable<object>): StreamableFile {
    return streamed(this.written(context, operation, records), 'application/x-ndjson');
  }

  /**
   * A stream that cannot be finished breaks the connection, because a normal end would look like the end of the list.
   */
  private async *written(
    context: RequestContext,
    { output, scope }: Operation,
    records: AsyncIterable<object>,
  ): AsyncGenerator<string> {
    const view: Output<object> = { kind: 'one', view: output.view };
    let lastChecked = Date.now();
    let text = '';
    for await (const record of records) {
      if (Date.now() - lastChecked >= recheckEveryMs) {
        if (this.isClosing || !(await this.isStillAllowed(context, scope)))
          throw new Error('An export was interrupted');
        lastChecked = Date.now();
      }
      text += `${JSON.stringify(viewOf(view, record))}\n`;
      if (text.length < chunkLength) continue;
      yield text;
      text = '';
    }
    if (text) yield text;
  }

  /** The first frame is sent immediately, so that the client knows it is connected. */
  private async *frames(
    context: RequestContext,
    { output, scope }: Operation,
    records: Stream<{ id: string }>,
  ): AsyncGenerator<string> {
    yield `retry: ${reconnectAfterMs}\n\n`;
    const view: Output<object> = { kind: 'one', view: output.view };
    let [lastSent, lastChecked] = [Date.now(), Date.now()];
    let text = '';
    for await (const record of records) {
      if (this.isClosing || this.readiness.draining) return;
      if (Date.now() - lastChecked >= recheckEveryMs) {
        if (!(await this.isStillAllowed(context, scope))) return;
        lastChecked = Date.now();
      }
      if (record) text += `id: ${record.id}\ndata: ${JSON.stringify(viewOf(view, record))}\n\n`;
      else if (!text && Date.now() - lastSent >= keepAliveEveryMs) text = ': still here\n\n';
      if (!text || (record && text.length < chunkLength)) continue;
      yield text;
      [text, lastSent] = ['', Date.now()];
    }
  }

  /** A credential whose properties or events have changed must reconnect, and continues where it was. */
  private async isStillAllowed({ caller, presented, requestId }: RequestContext, scope = ''): Promise<boolean> {
    if (!presented) return false;
    try {
      const now = await this.credentials.callerOf(presented, requestId);
      return may(now, scope) && !now.secondFactorMissing && sightOf(now) === sightOf(caller);
    } catch (error) {
      // A database that is unreachable for a moment says nothing about the credential.
      return error instanceof ServiceError && error.status === 503;
    }
  }
}

const streamed = (text: AsyncIterable<string>, type: string): StreamableFile =>
  new StreamableFile(Readable.from(text, { objectMode: false }), { type });

const sightOf = (caller?: Caller): string =>
  JSON.stringify([caller?.propertyIds, [...(caller?.permissions ?? [])].sort()]);
