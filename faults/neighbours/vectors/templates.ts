import { every, over } from '../attacking.js';
import type { Stage, Vector } from '../vector.js';

const loop = '{% for a in (1..2000) %}{% for b in (1..2000) %}{% assign x = a | times: b %}{% endfor %}{% endfor %}';

/** A client's own template. */
async function templateOf(client: Stage['attacker'], wishes: object): Promise<string> {
  const { id } = await client.send('POST', '/email-templates', { name: 'Letter', subject: 'Letter', ...wishes });
  return id as string;
}

/** As large as a body may be. */
const columns = (turn: number): string =>
  Array.from(
    { length: 900 },
    (_, n) => `<mj-section><mj-column><mj-text>${turn} ${n}</mj-text></mj-column></mj-section>`,
  ).join('');
const mjml = (turn: number): string => `<mjml><mj-body>${columns(turn)}</mj-body></mjml>`;

export const liquid: Vector = {
  name: 'liquid',
  description: 'a nested loop in each field of a template, rendered once a second',
  prepare: async ({ attacker }) => {
    const id = await templateOf(attacker, { subject: loop, preheader: loop, body: `<p>${loop}</p>`, textBody: loop });
    return every(1_000, () => attacker.once('POST', `/email-templates/${id}/render`, {}));
  },
};

export const compiled: Vector = {
  name: 'mjml',
  description: 'MJML compiled over six connections, while the victim saves templates',
  prepare: async ({ attacker }) => {
    const ids = await Promise.all(Array.from({ length: 6 }, () => templateOf(attacker, { body: '<p>Hello</p>' })));
    return over(6, (connection, turn) =>
      attacker.once('PATCH', `/email-templates/${ids[connection]}`, { body: mjml(turn) }),
    );
  },
  waits: ({ victim }) => {
    const body =
      '<mjml><mj-body><mj-section><mj-column><mj-text>Hi</mj-text></mj-column></mj-section></mj-body></mjml>';
    const once = () => victim.once('POST', '/email-templates', { name: 'Welcome', subject: 'Welcome', body });
    return Promise.resolve({ name: 'saved template', once });
  },
};
