import type { Server } from 'node:http';
import { answerParserErrors } from './edge/parser-errors.js';

const headersTimeoutMs = 10_000;
const requestTimeoutMs = 30_000;
/** Longer than load balancers keep idle connections (60 s is usual), so that none sends a request into a closing one. */
const keepAliveTimeoutMs = 65_000;

/** How long our HTTP servers wait for their clients, and what they answer to what is no HTTP. */
export function settleServer(server: Server): void {
  server.headersTimeout = headersTimeoutMs;
  server.requestTimeout = requestTimeoutMs;
  server.keepAliveTimeout = keepAliveTimeoutMs;
  answerParserErrors(server);
}
