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

/** The first of each is added where none of them is there. */
const extensions: Record<FileType, readonly [string, ...string[]]> = {
  'image/jpeg': ['.jpg', '.jpeg'],
  'image/png': ['.png'],
  'image/webp': ['.webp'],
  'image/heic': ['.heic', '.heif'],
  'application/pdf': ['.pdf'],
  'text/plain': ['.txt', '.text', '.md', '.log', '.csv'],
};

/**
 * The name to save the file under. Its extension decides what a computer does with it, so `invoice.exe` as a text gets
 * `.txt`.
 */
export function savedName(fileName: string, type: FileType): string {
  const name = fileName.toLowerCase();
  return extensions[type].some((extension) => name.endsWith(extension)) ? fileName : fileName + extensions[type][0];
}

export const isOfType = (content: Buffer, type: FileType): boolean => looksLike[type](content);
