import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Caller } from '#access';
import { bytesOf } from '#bytes';
import { newId, TenantDatabase, uuidIn } from '#persistence';
import { Keyring } from '#secrets';
import type { Config } from '../../../platform/config/app.config.js';
import { CONFIG } from '../../../platform/config/app.config.js';
import { Quotas } from '../../../tenancy/quotas/quotas.service.js';
import type { Task } from '../task.entity.js';
import { fileIsNotOfItsType, fileNotFound, tooManyFiles } from '../tasks.errors.js';
import { AttachmentStore } from './attachment-store.js';
import type { AttachToTask, FileType, StoredFile } from './attachment.dto.js';
import { isOfType, savedName } from './file-type.js';
import { FilesRepository } from './files.repository.js';

const linkLastsMs = 10 * 60_000;
const mostFiles = 20;

/** The files of tasks: validated, stored, and served by signed links that expire soon. */
@Injectable()
export class AttachmentsService {
  private readonly key: KeyObject;
  private readonly log = new Logger(AttachmentsService.name);

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    keyring: Keyring,
    private readonly store: AttachmentStore,
    private readonly files: FilesRepository,
    private readonly quotas: Quotas,
    private readonly database: TenantDatabase,
  ) {
    this.key = keyring.derive('attachments');
  }

  /** Stores the bytes before the task lists the file, so that every listed file exists. */
  async add(caller: Caller, task: Task, { fileName, contentType, content }: AttachToTask): Promise<StoredFile[]> {
    if (task.files.length >= mostFiles) throw tooManyFiles();
    const bytes = bytesOf(content);
    if (!isOfType(bytes, contentType)) throw fileIsNotOfItsType();
    const id = newId('file');
    await this.quotas.admit(caller, 'attachmentBytes', bytes.length);
    if (!this.database.isRehearsing) await this.store.put(pathOf(task.orgId, id), bytes);
    this.files.addBytes(task.orgId, bytes.length);
    return [...task.files, { id, fileName, contentType, sizeBytes: bytes.length, createdAt: new Date().toISOString() }];
  }

  /** Removes a file from its task; its bytes are deleted once that is committed, or with the next sweep. */
  remove(task: Task, fileId: string): StoredFile[] {
    const file = task.files.find(({ id }) => id === fileId);
    if (!file) throw fileNotFound();
    this.files.forget(task.orgId, file.sizeBytes, () => void this.discard(pathOf(task.orgId, fileId)));
    return task.files.filter(({ id }) => id !== fileId);
  }

  private async discard(path: string): Promise<void> {
    try {
      await this.store.remove(path);
    } catch (error) {
      this.log.warn(
        { err: error as Error },
        'A removed file could not be deleted from the store; the next sweep tries again',
      );
    }
  }

  /** Adds the links to the task's files. */
  link(task: Task): Task {
    const expires = Date.now() + linkLastsMs;
    if (task.files.length > 0)
      task.attachments = task.files.map((file) => ({ ...file, url: this.linkTo(task.orgId, file, expires) }));
    return task;
  }

  /** @returns undefined if the link is not ours, has expired, or the file is gone. */
  async open(link: FileLink): Promise<Buffer | undefined> {
    const given = Buffer.from(link.signature, 'base64url');
    const expected = this.sign(link);
    const isOurs = given.length === expected.length && timingSafeEqual(given, expected);
    if (!isOurs || Number(link.expires) < Date.now()) return undefined;
    return await this.store.get(pathOf(link.orgId, link.fileId));
  }

  private linkTo(orgId: string, { id, contentType, fileName }: StoredFile, expires: number): string {
    const link = {
      orgId,
      fileId: id,
      expires: String(expires),
      type: contentType,
      name: savedName(fileName, contentType),
    };
    const query = new URLSearchParams({
      expires: link.expires,
      type: link.type,
      name: link.name,
      signature: this.sign(link).toString('base64url'),
    });
    return `${this.config.baseUrl}/attachments/${orgId}/${id}?${query.toString()}`;
  }

  private sign({ orgId, fileId, expires, type, name }: Omit<FileLink, 'signature'>): Buffer {
    return createHmac('sha256', this.key)
      .update(JSON.stringify([orgId, fileId, expires, type, name]))
      .digest();
  }
}

export interface FileLink {
  orgId: string;
  fileId: string;
  expires: string;
  type: FileType;
  name: string;
  signature: string;
}

const pathOf = (orgId: string, fileId: string): string => `${uuidIn(orgId)}/${uuidIn(fileId)}`;
