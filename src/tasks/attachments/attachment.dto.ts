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
  @Id('task', { about: 'The task.' }) taskId: string;

  @Text({ about: 'The name of the file.', max: 200, example: 'note.txt' })
  fileName: string;

  @OneOf(fileTypes, { about: 'Its media type; the content must be of it.', example: 'text/plain' })
  contentType: FileType;

  @Base64({
    about: 'The file in base64 (RFC 4648), at most 5 MiB of it.',
    maxBytes: largestFileBytes,
    example: 'VGhlIGtleSBzdGlja3Mu',
  })
  content: string;
}

export class ThisAttachment {
  @Id('task', { about: 'The task.' }) taskId: string;
  @Id('file', { about: "The file's id (file_…), from the task's attachments." }) fileId: string;
}

/** What a task remembers of a file; the bytes are in the attachment store. */
export interface StoredFile {
  id: string;
  fileName: string;
  contentType: FileType;
  sizeBytes: number;
  createdAt: string;
}

export class AttachmentView {
  @Id('file', { about: 'The file.' }) id: string;
  @Text({ about: 'Its name.', max: 200 }) fileName: string;
  @OneOf(fileTypes, { about: 'Its media type.' }) contentType: FileType;
  @Int({ about: 'Its size in bytes.', min: 0, max: largestFileBytes }) sizeBytes: number;
  @Text({ about: 'Where to fetch it; works for ten minutes.', max: 1_000 }) url: string;
  @Timestamp({ about: 'When it was attached.' }) createdAt: string;
}
