import type { JsonSchema } from '#operations';
import type { TemplateCategory, TemplateVariable, VersionContent } from '../template.dto.js';

/** The form of a model's answer. It declares no variables: those are given, and the model chooses among them. */
export interface Written extends Pick<VersionContent, 'subject' | 'preheader' | 'body' | 'textBody'> {
  name: string;
}

const text = (maxLength: number): JsonSchema => ({ type: 'string', minLength: 1, maxLength });
const orNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] });

export const writtenSchema: JsonSchema = {
  type: 'object',
  properties: {
    name: text(200),
    subject: text(500),
    preheader: orNull(text(500)),
    body: text(50_000),
    textBody: orNull(text(50_000)),
  },
  required: ['name', 'subject', 'preheader', 'body', 'textBody'],
  additionalProperties: false,
};

/** The variables that the service fills in for a message about a stay. */
export const knownVariables: readonly TemplateVariable[] = [
  { key: 'organization.name', type: 'text', required: false, fallback: null },
  { key: 'guest.name', type: 'text', required: false, fallback: 'guest' },
  { key: 'property.name', type: 'text', required: false, fallback: null },
  { key: 'property.checkInTime', type: 'text', required: false, fallback: null },
  { key: 'property.checkOutTime', type: 'text', required: false, fallback: null },
  { key: 'reservation.confirmationCode', type: 'text', required: false, fallback: null },
  { key: 'reservation.checkInDate', type: 'date', required: false, fallback: null },
  { key: 'reservation.checkOutDate', type: 'date', required: false, fallback: null },
];

export const rulesFor = (category: TemplateCategory, variables: readonly TemplateVariable[]): string =>
  [
    'You write email templates for a company that lets holiday homes and hotel rooms.',
    'The body is MJML, from <mjml> on, or plain HTML; it has no script, form, frame or style sheet of another file.',
    'Values are inserted with Liquid, such as {{ guest.name }}. Between MJML elements, put a Liquid tag in <mj-raw>.',
    `The Liquid uses these variables and no others: ${variables.map(({ key, type }) => `${key} (${type})`).join(', ')}.`,
    'Links, email addresses and telephone numbers are those of the instruction or of the template that is changed, to the letter. Invent none.',
    category === 'marketing'
      ? 'It advertises, so it has the link <a href="{{ unsubscribeUrl }}"> with words that say so.'
      : `It is for: ${category.replace('_', ' ')}.`,
    'Subject and preheader are one line each. textBody is the same as plain text, or null. name says in a few words what the template is.',
  ].join('\n');
