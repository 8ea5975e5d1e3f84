import type { MessageContent } from '../messages/message-templates.js';
import { cleanDocument, plainTextOf } from './html-allowlist.js';
import { fill } from './liquid.js';
import type { EmailTemplateVersion } from './template.entity.js';
import { templateDoesNotRender } from './templates.errors.js';

type Source = Pick<EmailTemplateVersion, 'subject' | 'preheader' | 'html' | 'textBody'>;

const control = /[\p{Cc}\u2028\u2029]/u;
const hidden = 'display:none;max-height:0;max-width:0;overflow:hidden;font-size:1px;line-height:1px;opacity:0';

/**
 * What a version says with some data.
 *
 * @throws conflict_error where it cannot be rendered, or a value would break the subject's line and begin a header.
 */
export function letterOf({ subject, preheader, html, textBody }: Source, scope: object): MessageContent {
  if (html === '') throw templateDoesNotRender('its body could not be compiled; its issues say why.');
  const document = cleanDocument(fill('html', html, scope));
  return {
    subject: subjectOf(subject, scope),
    html: preheader === null ? document : withPreheader(document, fill('text', preheader, scope)),
    text: textBody === null ? plainTextOf(document) : fill('text', textBody, scope),
  };
}

function subjectOf(subject: string, scope: object): string {
  const filled = fill('text', subject, scope).trim();
  if (control.test(filled))
    throw templateDoesNotRender('a value in the subject has a line break or a control character.');
  if (filled === '' || filled.length > 500) throw templateDoesNotRender('the subject must have 1 to 500 characters.');
  return filled;
}

/** Mail programs show a document's first text beside its subject. */
function withPreheader(document: string, text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return document.replace(/<body[^<>]*>/, (body) => `${body}<div style="${hidden}">${escaped}</div>`);
}
