import { isSameValue } from '#persistence';
import type { InWords } from '../../platform/events/happening.js';
import { withNames } from './record-names.repository.js';
import type { EffectGroup, ShownEffect } from './shown-effects.js';
import { Change, inOrder, labelOf } from './shown-values.js';

interface EffectsProps {
  groups: EffectGroup[];
  names: ReadonlyMap<string, string>;
  callsOut: boolean;
  /** What would start automatically afterwards. */
  follows: readonly string[];
}

/** What would change, grouped by what would happen. */
export const Effects = ({ groups, names, callsOut, follows }: EffectsProps) => (
  <section class="panel" aria-label="What would change">
    <h2>What would change</h2>
    {groups.length === 0 && <p class="soft">No record would change.</p>}
    {callsOut && (
      <p class="soft">It also calls another system or a language model. Those results cannot be shown in advance.</p>
    )}
    {groups.map(({ title, total, effects }) => (
      <details key={title} class="opens" open={total <= openUpTo}>
        <summary>{`${title} ${total > 1 ? `(${total})` : ''}`}</summary>
        <ul class="rows">
          {effects.map((effect) => (
            <Effect key={effect.id} effect={effect} names={names} />
          ))}
        </ul>
        {effects.length < total && (
          <p class="soft">{total - effects.length} more that you do not have permission to see.</p>
        )}
      </details>
    ))}
    {follows.map((sentence) => (
      <p key={sentence}>{sentence}</p>
    ))}
  </section>
);

/** Longer groups open with a click, so that the buttons stay near. */
const openUpTo = 10;

const Effect = ({
  effect: { id, name, belongsTo, fields, withheld, inWords },
  names,
}: {
  effect: ShownEffect;
  names: ReadonlyMap<string, string>;
}) => (
  <li>
    <strong>{inOrder(name ?? names.get(id) ?? id)}</strong>
    {belongsTo && names.has(belongsTo) && <small>{names.get(belongsTo)}</small>}
    {fields.length + withheld.length > 0 && (
      <dl class="facts">
        {fields.map((field) => (
          <>
            <dt>{labelOf(field.name)}</dt>
            <dd>
              <Change before={field.before} after={field.after} names={names} />
            </dd>
          </>
        ))}
        {withheld.map((field) => (
          <>
            <dt>{labelOf(field)}</dt>
            <dd class="soft">(not shown)</dd>
          </>
        ))}
      </dl>
    )}
    {inWords && <Definition {...inWords} names={names} />}
  </li>
);

/** A definition before and after, line by line. */
const Definition = ({ before, after, names }: InWords & { names: ReadonlyMap<string, string> }) => (
  <dl class="facts">
    {before && !isSameValue(before, after) && (
      <>
        <dt>So far</dt>
        <Lines of={before} names={names} />
      </>
    )}
    <dt>{before && !isSameValue(before, after) ? 'From then on' : 'What it does'}</dt>
    <Lines of={after} names={names} />
  </dl>
);

const Lines = ({ of, names }: { of: readonly string[]; names: ReadonlyMap<string, string> }) => (
  <dd class="lines">
    {of.map((line) => (
      <p key={line}>
        <bdi>{inOrder(withNames(line, names))}</bdi>
      </p>
    ))}
  </dd>
);
