import type { LoggerService } from '@nestjs/common';
import { destination, type Logger, pino } from 'pino';
import { readableLine } from './readable-line.js';

/** Characters of lines that could not be written yet. */
const longestWaiting = 1_000_000;
/** Lines are written together: a write for each line takes a tenth of the CPU time of a small request. */
const together = { minLength: 4_096, periodicFlush: 100 };

/**
 * Structured log lines on standard error, or readable ones at a terminal, written without holding up a request; secrets
 * never get here.
 */
export class ServiceLogger implements LoggerService {
  private readonly pino: Logger;
  /** Redaction takes longer than all the rest of a line, and these have only fields that were picked by name. */
  private readonly requests: Logger;

  constructor(level: string, isTerminal = false) {
    // A log that cannot be written, as on a full disk, does not end the service: lines wait, and are dropped if there
    // are many.
    const lines = isTerminal
      ? { write: (line: string) => void process.stderr.write(readableLine(line)) }
      : destination({ fd: 2, sync: false, ...together, maxLength: longestWaiting }).on('error', () => undefined);
    this.pino = pino({ level, redact: ['*.headers.authorization', '*.password', '*.key', '*.secret'] }, lines);
    this.requests = this.pino.child({ context: 'edge' }, { redact: [] });
  }

  /** The one line about a request; no field may contain a secret that a client sent. */
  request(level: 'debug' | 'info', fields: object): void {
    this.requests[level](fields, 'Request');
  }

  log(message: unknown, ...more: unknown[]): void {
    this.write('debug', message, more);
  }

  info(message: unknown, ...more: unknown[]): void {
    this.write('info', message, more);
  }

  error(message: unknown, ...more: unknown[]): void {
    this.write('error', message, more);
  }

  warn(message: unknown, ...more: unknown[]): void {
    this.write('warn', message, more);
  }

  debug(message: unknown, ...more: unknown[]): void {
    this.write('debug', message, more);
  }

  fatal(message: unknown, ...more: unknown[]): void {
    this.write('fatal', message, more);
  }

  /** Nest hands the logger's context as the last argument; ours may give an object of fields first. */
  private write(level: 'debug' | 'info' | 'warn' | 'error' | 'fatal', message: unknown, more: unknown[]): void {
    const texts = more.filter((item): item is string => typeof item === 'string');
    const context = texts.at(-1);
    // Its fields are not enumerable.
    if (message instanceof Error) this.pino[level]({ err: message, context }, message.message);
    else if (typeof message === 'object' && message !== null)
      this.pino[level]({ ...message, context }, texts.length > 1 ? texts[0] : '');
    else this.pino[level]({ context }, String(message));
  }
}
