import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport, type SendMailOptions, type Transporter } from 'nodemailer';
import type SMTPTransport from 'nodemailer/lib/smtp-transport/index.js';
import type { Config } from '../config/app.config.js';
import type { Letter } from './mail-authors.js';
import { onOneLine } from './quotation.js';

/** The outcome of a mail. `unknown`: the connection was lost after the server had its text. */
export interface Outcome {
  result: 'sent' | 'not-sent' | 'refused' | 'unknown';
  /** The server's message, without the addresses in it, because it outlives the erasure of the recipient. */
  error?: string;
}

const timeoutMs = 20_000;
const anAddress = /[^\s<>"']+@[^\s<>"']+/g;

/** Hands mail to the SMTP server of SMTP_URL; without one, writes it as .eml files under DATA_DIR/mail. */
export class MailTransport {
  private readonly from: string;
  private readonly domain: string;
  private readonly folder: string;
  private readonly smtp?: Transporter;
  /** Set once the server has asked for the text of the current mail (354, RFC 5321): from then on it may have it. */
  private textIsAskedFor = false;
  private readonly composer = createTransport({ streamTransport: true, buffer: true });

  constructor({ smtpUrl, dataDir, baseUrl }: Config) {
    const host = new URL(baseUrl).hostname;
    this.domain = host.includes('.') ? host : `${host}.invalid`;
    this.from = `no-reply@${this.domain}`;
    this.folder = join(dataDir, 'mail');
    if (smtpUrl) this.smtp = createTransport(this.smtpOptions(smtpUrl));
  }

  async send({
    id,
    to,
    fromName = 'Property Operations',
    subject,
    ...content
  }: Letter & { id: string }): Promise<Outcome> {
    const mail = {
      from: { name: onOneLine(fromName), address: this.from },
      to: { name: '', address: to },
      subject: onOneLine(subject),
      // One id for all attempts, so that a receiving server can recognize duplicates.
      messageId: `<${id}@${this.domain}>`,
      ...content,
    };
    this.textIsAskedFor = false;
    try {
      await (this.smtp ? this.smtp.sendMail(mail) : this.write(id, mail));
      return { result: 'sent' };
    } catch (error) {
      return {
        result: this.resultOf(error as SmtpError),
        error: (error as Error).message.replaceAll(anAddress, '…').slice(0, 500),
      };
    }
  }

  /** Mail is sent one by one, so the server's messages concern the current one. */
  private smtpOptions(url: string): SMTPTransport.Options {
    const nothing = (): void => undefined;
    const debug = ({ tnx }: { tnx?: string }, line: unknown): void => {
      if (tnx === 'server' && String(line).startsWith('354')) this.textIsAskedFor = true;
    };
    return {
      url,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      transactionLog: true,
      logger: { level: nothing, trace: nothing, debug, info: nothing, warn: nothing, error: nothing, fatal: nothing },
    };
  }

  private resultOf({ responseCode, code }: SmtpError): Outcome['result'] {
    if (responseCode) return responseCode >= 500 && code !== 'EAUTH' ? 'refused' : 'not-sent';
    return this.textIsAskedFor ? 'unknown' : 'not-sent';
  }

  close(): void {
    this.smtp?.close();
  }

  private async write(id: string, mail: SendMailOptions): Promise<void> {
    const { message } = (await this.composer.sendMail(mail)) as unknown as { message: Buffer };
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const file = join(this.folder, `${id}.eml`);
    await writeFile(`${file}.draft`, message, { mode: 0o600 });
    await rename(`${file}.draft`, file);
  }
}

interface SmtpError extends Error {
  code?: string;
  /** The server's answer (RFC 5321): 4yz may pass, 5yz will not. */
  responseCode?: number;
}
