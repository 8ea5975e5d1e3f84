import sanitizeHtml, { type IOptions } from 'sanitize-html';

const words = (text: string): string[] => text.split(' ');

const allowedTags = [
  words('html head body title meta style'),
  words('table caption thead tbody tfoot tr td th div span center font'),
  words('p h1 h2 h3 h4 h5 h6 ul ol li blockquote pre br hr a img'),
  words('b strong i em u s small sub sup code'),
].flat();
const ofAny = 'style class id align valign width height bgcolor border color dir lang title role aria-* size face';

/**
 * HTML that mail programs show and that cannot run code. Comments are removed too, including Outlook's conditional
 * ones.
 */
const allowed: IOptions = {
  allowedTags,
  allowedAttributes: {
    '*': words(ofAny),
    table: words('cellpadding cellspacing'),
    td: words('colspan rowspan'),
    th: words('colspan rowspan'),
    a: ['href', 'target', 'name', 'rel'],
    img: ['src', 'alt'],
    meta: ['charset', 'name', 'content', { name: 'http-equiv', values: ['Content-Type', 'X-UA-Compatible'] }],
    style: ['type', 'media'],
  },
  allowedSchemes: ['https', 'http', 'mailto', 'tel'],
  allowedSchemesByTag: { img: ['https', 'http', 'cid'] },
  allowProtocolRelative: false,
  // A style sheet can only hide and recolour, because mail programs do not run anything inside one.
  allowVulnerableTags: true,
  parseStyleAttributes: false,
  nestingLimit: 200,
};

/** A complete document that contains only allowed elements. */
export function cleanDocument(html: string): string {
  const clean = sanitizeHtml(html, allowed);
  const whole = /<html[\s>]/i.test(clean)
    ? clean.trim()
    : `<html><head><meta charset="utf-8" /></head><body>${clean}</body></html>`;
  return `<!doctype html>\n${whole}`;
}

export interface Element {
  name: string;
  attributes: Record<string, string>;
}

/** Every element of a source, allowed or not. */
export function elementsOf(html: string): Element[] {
  const elements: Element[] = [];
  const onOpenTag = (name: string, attributes: Record<string, string>) =>
    // Copied, because elements that are not allowed are removed from the live collection.
    void elements.push({ name, attributes: { ...attributes } });
  sanitizeHtml(html, { ...allowed, onOpenTag });
  return elements;
}

export const isAllowed = ({ name }: Element): boolean => allowedTags.includes(name);

const breaking = words('br p div tr li h1 h2 h3 h4 h5 h6 table');
const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };

/**
 * The plain text of a sanitized document, in which a link's address follows the link. Only the parser reads it, because
 * a style sheet may contain text that looks like elements.
 */
export function plainTextOf(clean: string): string {
  const addresses: (string | undefined)[] = [];
  let text = '';
  sanitizeHtml(clean, {
    allowedTags: [],
    nonTextTags: ['style', 'title'],
    onOpenTag: (name, { href }) => void (name === 'a' && addresses.push(href)),
    onCloseTag: (name) => {
      const address = name === 'a' && addresses.pop();
      if (address) text += ` (${address})`;
      if (breaking.includes(name)) text += '\n';
    },
    textFilter: (escaped) => {
      text += escaped.replaceAll(/&(?:amp|lt|gt);/g, (entity) => entities[entity] as string);
      return '';
    },
  });
  return text
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(/ ?\n\s*/g, '\n')
    .trim();
}
