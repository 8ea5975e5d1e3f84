import { Inject, Injectable } from '@nestjs/common';
import { unavailable } from '#errors';
import { sourceOf } from '#limits';
import { regionOfApplication } from '#regions';
import type { Config } from '../../platform/config/app.config.js';
import { CONFIG } from '../../platform/config/app.config.js';
import { type ClientRecord, ClientsRepository } from './clients.repository.js';
import { globalPrefix } from './endpoints.js';
import { SlidingWindowsRepository, type Window } from '../../platform/limits/sliding-windows.repository.js';

/** How often one address may make us ask another region for an unknown application. */
const askings: Window = { limit: 20, windowMs: 60_000 };
const answerWithinMs = 3_000;
const retryAfterSeconds = 5;

/** An application as one region sends it to another. */
export type ApplicationRecord = Omit<ClientRecord, 'secretHash'> & { secretHash: string | null };

/**
 * Applications that registered in another region, which the global entry allows. Each is fetched from there once and
 * stored, which is safe because a record never changes. The record is public: it contains the application's own
 * metadata and the SHA-256 of its secret, from which nobody can find 256 random bits. The response is as trustworthy as
 * TLS and REGION_URLS, and is checked against the rules of registration each time it is loaded.
 */
@Injectable()
export class ApplicationsElsewhere {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly clients: ClientsRepository,
    private readonly windows: SlidingWindowsRepository,
  ) {}

  /** @throws service_unavailable while that region does not respond. */
  async adopt(id: string, ip: string): Promise<ClientRecord | undefined> {
    const home = regionOfApplication(id);
    const url = home && home !== this.config.region ? this.config.regionUrls[home] : undefined;
    if (!url || (await this.windows.take(`applications elsewhere for ${sourceOf(ip)}`, askings)) > 0) return undefined;
    const record = await askFor(`${url}${globalPrefix}/applications/${id}`);
    if (record?.id !== id) return undefined;
    await this.clients.keep(record);
    return record;
  }
}

async function askFor(url: string): Promise<ClientRecord | undefined> {
  try {
    const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(answerWithinMs) });
    if (response.status === 404) return undefined;
    if (!response.ok) throw new Error(`It returned ${response.status}`);
    const { secretHash, ...record } = (await response.json()) as ApplicationRecord;
    return { ...record, secretHash: secretHash === null ? null : Buffer.from(secretHash, 'base64url') };
  } catch (error) {
    throw unavailable('The region where this application registered does not respond.', retryAfterSeconds, error);
  }
}
