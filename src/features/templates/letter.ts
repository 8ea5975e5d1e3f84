import type { MessageContent } from '../../outside/messages/message-templates.js';
import { cleanDocument, plainTextOf } from './html-allowlist.js';
import { Filling } from './liquid.js';
import type { EmailTemplateVersion } from './template.entity.js';
import { Unrenderable } from './unrenderable.js';

type Source = Pick<EmailTemplateVersion, 'subject' | 'preheader' | 'html' | 'textBody'>;

const control = /[\p{Cc}\u2028\u2029]/u;
const hidden = 'display:none;max-height:0;max-width:0;overflow:hidden;font-size:1px;line-height:1px;opacity:0';

/**
 * Renders a version with data.
 *
 * @throws Unrenderable if it cannot be rendered, or a value would break the subject's line and start a header.
 */
export function letterOf({ subject, preheader, html, textBody }: Source, scope: object): MessageContent {
  if (html === '') throw new Unrenderable('its body could not be compiled; its issues say why.');
  const filling = new Filling(scope);
  const body = filling.fill('html', html);
  const line = subjectOf(filling.fill('text', subject));
  const preview = preheader === null ? null : filling.fill('text', preheader);
  const text = textBody === null ? null : filling.fill('text', textBody);
  const document = cleanDocument(body);
  return {
    subject: line,
    html: preview === null ? document : withPreheader(document, preview),
    text: text ?? plainTextOf(document),
  };
}

function subjectOf(subject: string): string {
  const filled = subject.trim();
  if (control.test(filled)) throw new Unrenderable('a value in the subject has a line break or a control character.');
  if (filled === '' || filled.length > 500) throw new Unrenderable('the subject must have 1 to 500 characters.');
  return filled;
}

/** Mail programs show a document's first text next to its subject. */
function withPreheader(document: string, text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return document.replace(/<body[^<>]*>/, (body) => `${body}<div style="${hidden}">${escaped}</div>`);
}
