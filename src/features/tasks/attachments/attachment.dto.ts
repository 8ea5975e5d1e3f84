import type { DecodedBase64 } from '#bytes';
import { Base64, Id, Int, OneOf, Text, Timestamp } from '#operations';

export const fileTypes = [
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/heic',
  'application/pdf',
  'text/plain',
] as const;
export type FileType = (typeof fileTypes)[number];

export const largestFileBytes = 5_242_880;

export class AttachToTask {
  @Id('task', { description: 'Task id (task_…), from listTasks.' }) taskId: string;

  @Text({ description: 'File name, with its extension.', max: 200, example: 'note.txt' })
  fileName: string;

  @OneOf(fileTypes, { description: 'Media type of the file; its content must match.', example: 'text/plain' })
  contentType: FileType;

  @Base64({
    description: 'Content of the file in base64 (RFC 4648), at most 5 MiB before encoding.',
    maxBytes: largestFileBytes,
    example: 'VGhlIGtleSBzdGlja3Mu',
  })
  content: string | DecodedBase64;
}

export class ThisAttachment {
  @Id('task', { description: 'Task id (task_…), from listTasks.' }) taskId: string;
  @Id('file', { description: 'File id (file_…), from getTask.' }) fileId: string;
}

/** The record of a file in its task; the bytes are in the attachment store. */
export interface StoredFile {
  id: string;
  fileName: string;
  contentType: FileType;
  sizeBytes: number;
  createdAt: string;
}

export class AttachmentView {
  @Id('file', { description: 'File id (file_…).' }) id: string;
  @Text({ description: 'File name.', max: 200 }) fileName: string;
  @OneOf(fileTypes, { description: 'Media type of the file.' }) contentType: FileType;
  @Int({ description: 'Size of the file in bytes.', min: 0, max: largestFileBytes }) sizeBytes: number;
  @Text({ description: 'Download link, valid for ten minutes; read the task again for a new one.', max: 1_000 })
  url: string;
  @Timestamp({ description: 'When the file was attached.' }) createdAt: string;
}
