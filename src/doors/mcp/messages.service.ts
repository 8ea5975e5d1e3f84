import type { Request } from 'express';
import { Injectable } from '@nestjs/common';
import { ServiceError } from '#errors';
import { Catalogue, type Operation } from '#operations';
import { LargeBodies } from '../../edge/input/large-bodies.js';
import { readJsonBody } from '../../platform/http/json-body.js';

/** Where a message has the fields of an operation: in the arguments of its own tool, or of one that calls it by its name. */
const places = [
  ['params', 'arguments'],
  ['params', 'arguments', 'arguments'],
];

/**
 * Reads messages. A message may be as large as the largest body of any operation, because which operation it calls is
 * known only once it was read. The guards have authenticated the caller by then.
 */
@Injectable()
export class MessagesService {
  /** The operations that accept more than usual. */
  private large?: readonly Operation[];

  constructor(
    private readonly catalogue: Catalogue,
    private readonly bodies: LargeBodies,
  ) {}

  /** @throws validation_error; ThreadsBusy. */
  async read(request: Request): Promise<unknown> {
    const { context } = request;
    this.large ??= this.catalogue
      .all()
      .map(({ operation }) => operation)
      .filter(({ maxBodyBytes }) => maxBodyBytes !== undefined);
    const operations = this.large;
    const most = Math.max(...operations.map(({ maxBodyBytes = 0 }) => maxBodyBytes));
    const message = await readJsonBody(request, most, context.caller?.orgId, (bytes, owner) => {
      context.largeMessageBytes = bytes.length;
      return this.bodies.read(bytes, operations, owner, places);
    });
    if (message === undefined) throw new ServiceError({ status: 400, message: 'Send one JSON-RPC message.' });
    return message;
  }

  /** Frees the files of a message that is answered. */
  free(message: unknown): void {
    this.bodies.free(message);
  }
}
