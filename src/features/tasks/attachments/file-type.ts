import { isUtf8 } from 'node:buffer';
import type { FileType } from './attachment.dto.js';

const startsWith = (content: Buffer, bytes: string, at = 0): boolean =>
  content.subarray(at, at + bytes.length / 2).toString('hex') === bytes;

const isText = (content: Buffer): boolean => isUtf8(content) && !content.includes(0);

/** The first bytes of a file of each type; a name proves nothing. */
const looksLike: Record<FileType, (content: Buffer) => boolean> = {
  'image/jpeg': (content) => startsWith(content, 'ffd8ff'),
  'image/png': (content) => startsWith(content, '89504e470d0a1a0a'),
  'image/webp': (content) => startsWith(content, '52494646') && startsWith(content, '57454250', 8),
  'image/heic': (content) =>
    startsWith(content, '66747970', 4) && /^(heic|heix|mif1|heim|heis)/.test(content.toString('latin1', 8, 12)),
  'application/pdf': (content) => startsWith(content, '25504446'),
  'text/plain': isText,
};

export const isOfType = (content: Buffer, type: FileType): boolean => looksLike[type](content);
