import { type Element, isAllowed } from './html-allowlist.js';
import type { TemplateIssue, TemplateVariable, VersionContent } from './template.dto.js';
import { builtIn } from './built-in-variable.js';

/** What is said in Liquid. */
export const liquidFields = ['subject', 'preheader', 'body', 'textBody'] as const;

export interface LiquidRead {
  field: (typeof liquidFields)[number];
  /** What it names that it does not define itself. */
  variables: string[];
  /** Why it is no Liquid. */
  fault?: string;
}

/** A version with what was found in it. */
export interface Draft extends VersionContent {
  /** The body as HTML with its Liquid, empty where it cannot be compiled. */
  html: string;
  elements: Element[];
  /** What MJML found wrong. */
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

/** Liquid that cannot be read, or names a filter or a tag that there is not. */
export const liquidSyntax: LintRule = ({ liquid }) =>
  liquid
    .filter(({ fault }) => fault !== undefined)
    .map(({ field, fault }) => issue('error', 'liquid_syntax')(field, `This is no Liquid: ${fault}.`));

/** A name is known as it was declared; what is in a list is known with the list. */
const knows = (draft: Draft, name: string): boolean =>
  [...draft.variables, builtIn].some(
    ({ key, type }) => name === key || (type === 'list' && (name.startsWith(`${key}.`) || name.startsWith(`${key}[`))),
  );

export const undeclaredVariable: LintRule = (draft) =>
  draft.liquid.flatMap(({ field, variables }) =>
    [...new Set(variables)]
      .filter((name) => !knows(draft, name))
      .map((name) =>
        issue('error', 'undeclared_variable')(field, `${name} is not among the variables that are declared.`),
      ),
  );

/** Whether a variable is among the names that Liquid uses, or something of it. */
export const isUsed = ({ key }: TemplateVariable, names: readonly string[]): boolean =>
  names.some((name) => name === key || name.startsWith(`${key}.`) || name.startsWith(`${key}[`));

export const unusedVariable: LintRule = ({ liquid, variables }) => {
  const names = liquid.flatMap((read) => read.variables);
  return variables
    .filter((variable) => !isUsed(variable, names))
    .map(({ key }) => issue('warning', 'unused_variable')('variables', `${key} is declared and not used.`));
};

const filledIn = /\{\{.*?\}\}|\{%.*?%\}/gs;
const absolute = /^(https?:\/\/[^\s/]\S*|mailto:[^\s@]+@[^\s@]+|tel:\+?[\d\s().-]+)$/i;

const longestAddress = 2_000;

/** An address that begins with Liquid is known only when it is sent; elsewhere Liquid stands for some letters. */
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
        `"${address.slice(0, 200)}" leads nowhere from a letter. Give an address that begins with https:, mailto: or tel:.`,
      ),
    );

/** Gmail cuts a letter off there, and what comes after is not seen: the link to unsubscribe, for one. */
const clippedAtBytes = 102 * 1_024;

export const tooLarge: LintRule = ({ html }) => {
  const bytes = Buffer.byteLength(html);
  return bytes <= clippedAtBytes
    ? []
    : [
        issue('error', 'too_large')(
          'body',
          `The HTML has ${bytes} bytes; Gmail clips a letter at ${clippedAtBytes}. Shorten it.`,
        ),
      ];
};

export const missingUnsubscribe: LintRule = (draft) =>
  draft.category === 'marketing' && !linksOf(draft).some((address) => /\{\{-?\s*unsubscribeUrl\b/.test(address))
    ? [
        issue('error', 'missing_unsubscribe')(
          'body',
          'Marketing must let people say no. Add a link: <a href="{{ unsubscribeUrl }}">Unsubscribe</a>.',
        ),
      ]
    : [];

export const mjmlFaults: LintRule = ({ faults }) => faults.map((fault) => issue('error', 'mjml')('body', fault));

const countOf = (text: string, what: RegExp): number => text.match(what)?.length ?? 0;

/** MJML drops text between its elements, and an {% if %} there would silently hold for nothing. */
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
    issue('error', 'forbidden_html')(
      'body',
      `A letter cannot have ${what}; it is taken out when it is sent. Remove it.`,
    ),
  );
};
