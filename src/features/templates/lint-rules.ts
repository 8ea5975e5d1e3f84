import { type Element, isAllowed } from './html-allowlist.js';
import type { TemplateIssue, TemplateVariable, VersionContent } from './template.dto.js';
import { builtIn } from './built-in-variable.js';

/** A part of a version that is written in Liquid. */
export const liquidFields = ['subject', 'preheader', 'body', 'textBody'] as const;

export interface LiquidRead {
  field: (typeof liquidFields)[number];
  /** The names that it uses but does not define. */
  variables: string[];
  /** Why it is not valid Liquid. */
  fault?: string;
}

/** A version and the facts that the rules check. */
export interface Draft extends VersionContent {
  /** The body as HTML with its Liquid; empty if it cannot be compiled. */
  html: string;
  elements: Element[];
  /** MJML's own findings. */
  faults: string[];
  liquid: LiquidRead[];
}

export type LintRule = (draft: Draft) => TemplateIssue[];

const issue = (severity: TemplateIssue['severity'], rule: string) => (field: string, message: string) => ({
  severity,
  rule,
  field,
  message: message.slice(0, 1_000),
});

export const isMjml = (body: string): boolean => /^\s*<mjml[\s>]/i.test(body);

/** Liquid that cannot be parsed, or that uses an unknown filter or tag. */
export const liquidSyntax: LintRule = ({ liquid }) =>
  liquid
    .filter(({ fault }) => fault !== undefined)
    .map(({ field, fault }) => issue('error', 'liquid_syntax')(field, `This is not valid Liquid: ${fault}.`));

/** A name is known if it is declared; the fields of a list's items are known with the list. */
const knows = (draft: Draft, name: string): boolean =>
  [...draft.variables, builtIn].some(
    ({ key, type }) => name === key || (type === 'list' && (name.startsWith(`${key}.`) || name.startsWith(`${key}[`))),
  );

export const undeclaredVariable: LintRule = (draft) =>
  draft.liquid.flatMap(({ field, variables }) =>
    [...new Set(variables)]
      .filter((name) => !knows(draft, name))
      .map((name) =>
        issue('error', 'undeclared_variable')(field, `${name} is not a declared variable. Declare it in variables.`),
      ),
  );

/** Whether the Liquid uses a variable or a field of it. */
export const isUsed = ({ key }: TemplateVariable, names: readonly string[]): boolean =>
  names.some((name) => name === key || name.startsWith(`${key}.`) || name.startsWith(`${key}[`));

export const unusedVariable: LintRule = ({ liquid, variables }) => {
  const names = liquid.flatMap((read) => read.variables);
  return variables
    .filter((variable) => !isUsed(variable, names))
    .map(({ key }) =>
      issue('warning', 'unused_variable')('variables', `The variable ${key} is declared but not used.`),
    );
};

const filledIn = /\{\{.*?\}\}|\{%.*?%\}/gs;
const absolute = /^(https?:\/\/[^\s/]\S*|mailto:[^\s@]+@[^\s@]+|tel:\+?[\d\s().-]+)$/i;

const longestAddress = 2_000;

/**
 * An address that starts with Liquid is known only when the message is sent. Elsewhere, Liquid counts as some letters.
 */
const isWhole = (address: string): boolean => {
  if (address.length > longestAddress) return false;
  if (/^\s*\{\{/.test(address)) return true;
  const filled = address.replaceAll(filledIn, '1').trim();
  return filled.startsWith('#') || (absolute.test(filled) && URL.canParse(filled));
};

const linksOf = ({ elements }: Draft): string[] =>
  elements.flatMap(({ name, attributes }) => (name === 'a' && 'href' in attributes ? [attributes.href ?? ''] : []));

export const brokenLink: LintRule = (draft) =>
  [...new Set(linksOf(draft))]
    .filter((address) => !isWhole(address))
    .map((address) =>
      issue('error', 'broken_link')(
        'body',
        `"${address.slice(0, 200)}" does not work in an email. Use an address that begins with https:, mailto: or tel:.`,
      ),
    );

/** Gmail clips a letter there, so anything after it is hidden, including the link to unsubscribe. */
const clippedAtBytes = 102 * 1_024;

export const tooLarge: LintRule = ({ html }) => {
  const bytes = Buffer.byteLength(html);
  return bytes <= clippedAtBytes
    ? []
    : [
        issue('error', 'too_large')(
          'body',
          `The HTML has ${bytes} bytes; Gmail clips emails at ${clippedAtBytes}. Shorten it.`,
        ),
      ];
};

export const missingUnsubscribe: LintRule = (draft) =>
  draft.category === 'marketing' && !linksOf(draft).some((address) => /\{\{-?\s*unsubscribeUrl\b/.test(address))
    ? [
        issue('error', 'missing_unsubscribe')(
          'body',
          'Marketing needs an unsubscribe link. Add: <a href="{{ unsubscribeUrl }}">Unsubscribe</a>.',
        ),
      ]
    : [];

export const mjmlFaults: LintRule = ({ faults }) => faults.map((fault) => issue('error', 'mjml')('body', fault));

const countOf = (text: string, what: RegExp): number => text.match(what)?.length ?? 0;

/** MJML drops text between its elements, so an {% if %} there would silently have no effect. */
export const lostLiquid: LintRule = ({ body, html }) =>
  isMjml(body) && html !== '' && countOf(html, /\{%/g) < countOf(body, /\{%/g)
    ? [
        issue('error', 'lost_liquid')(
          'body',
          'A Liquid tag between MJML elements has no effect. Wrap it: <mj-raw>{% if … %}</mj-raw>.',
        ),
      ]
    : [];

const isScripted = ({ attributes }: Element): boolean => Object.keys(attributes).some((name) => /^on[a-z]/.test(name));

export const forbiddenHtml: LintRule = ({ elements }) => {
  const forbidden = new Set(
    elements.filter((element) => !isAllowed(element)).map(({ name }) => `<${name.slice(0, 50)}>`),
  );
  if (elements.some(isScripted)) forbidden.add('an on… attribute');
  return [...forbidden].map((what) =>
    issue('error', 'forbidden_html')('body', `Emails cannot contain ${what}; it is removed on sending. Remove it.`),
  );
};
