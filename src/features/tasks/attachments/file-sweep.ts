import { Injectable } from '@nestjs/common';
import { Jobs, type DueJob, schedules, type Work } from '#jobs';
import { idColumn } from '#persistence';
import { AttachmentStore, type KeptFile } from './attachment-store.js';
import { KeptFilesRepository, soonestSweep } from './kept-files.repository.js';

/** A file is put into the store before a task names it, so a new one may belong to an open transaction. */
const restMs = 3_600_000;
/** How many files one round checks; the next round continues after them. */
const filesAtOnce = 1_000;
const roundMs = 10 * 60_000;
const round = [{ id: 'round' }];

const orgs = idColumn('org');
const ids = idColumn('file');

interface Named extends KeptFile {
  orgId: string;
  id: string;
}

/**
 * Removes files that no task of a known organization names: their request failed after they were stored, or they could
 * not be removed then. A round every ten minutes, on one of the processes that work.
 */
@Injectable()
export class FileSweep implements Work {
  readonly name = 'file-sweep';
  readonly lane = schedules;
  readonly soonest = soonestSweep;
  /** The last path that this process checked. */
  private after = '';

  constructor(
    private readonly store: AttachmentStore,
    private readonly files: KeptFilesRepository,
    jobs: Jobs,
  ) {
    jobs.take(this);
  }

  async due(now: string): Promise<DueJob[]> {
    return (await this.files.isDue(now)) ? round : [];
  }

  async perform(_: DueJob, signal: AbortSignal): Promise<void> {
    const now = Date.now();
    const next = new Date(now + roundMs).toISOString();
    if (!(await this.files.claim(new Date(now).toISOString(), next))) return;
    const looked = await this.store.list(this.after, filesAtOnce);
    this.after = looked.length < filesAtOnce ? '' : (looked.at(-1) as KeptFile).path;
    const old = looked.filter(({ putAt }) => putAt <= Date.now() - restMs);
    const whole = old.flatMap(withIds);
    const wanted = await this.files.toKeep(whole);
    const kept = new Set(whole.filter(({ id }) => wanted.has(id)).map(({ path }) => path));
    for (const { path } of old) {
      if (signal.aborted) return;
      if (!kept.has(path)) await this.store.remove(path);
    }
  }
}

/** A file whose upload never finished has no id yet. */
function withIds(file: KeptFile): Named[] {
  const [, orgId, id] = /^([0-9a-f]{32})\/([0-9a-f]{32})$/.exec(file.path) ?? [];
  return orgId && id ? [{ ...file, orgId: orgs.from(orgId) as string, id: ids.from(id) as string }] : [];
}
