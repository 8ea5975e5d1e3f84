import type { AuditEntryView } from '../../platform/audit/audit-entry.dto.js';
import { humanized } from './words.js';

/** Before and after, side by side, field by field. */
export const Change = ({ before, after }: Pick<AuditEntryView, 'before' | 'after'>) => {
  const [was, is] = [before ?? {}, after ?? {}] as Record<string, unknown>[];
  const names = [...new Set([...Object.keys(was ?? {}), ...Object.keys(is ?? {})])];
  if (names.length === 0) return <>–</>;
  return (
    <details>
      <summary>
        {before === null ? 'created' : after === null ? 'deleted' : names.slice(0, 3).map(humanized).join(', ')}
        {before && after && names.length > 3 && ` and ${names.length - 3} more`}
      </summary>
      <table class="change">
        <thead>
          <tr>
            <th scope="col">Field</th>
            {before && <th scope="col">Before</th>}
            {after && <th scope="col">After</th>}
          </tr>
        </thead>
        <tbody>
          {names.map((name) => (
            <tr key={name}>
              <th scope="row">{humanized(name)}</th>
              {before && <td>{written(was?.[name])}</td>}
              {after && <td>{written(is?.[name])}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
};

const written = (value: unknown): string =>
  value === undefined || value === null ? '–' : typeof value === 'string' ? value : JSON.stringify(value);
