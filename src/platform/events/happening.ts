import { viewOf } from '#operations';
import type { AuditChange } from '../audit/act.js';
import { changeOf, notKept } from './change.js';
import type { EventType } from './event-type.js';
import type { Fields, Images } from './images.js';
import { differenceOf, isStep, type Undo } from './undo.js';
import type { NotedChange } from './undo-steps.repository.js';

/** A record that events are about. */
export type Subject<Data> = Data & { id: string };

/** What followers and the audit trail learn about a subject. */
export interface Told {
  type: string;
  /** What people call the subject, also where its data does not say it, as for guests. */
  name: string | null;
  data: Fields;
  change: AuditChange & { propertyId: string | null };
  /** The fields that differ, as they are stored and as events show them. */
  changed: Images;
  undo: Undo;
}

/** What a record does, in lines of plain words: its definition so far, if it had one, and from then on. */
export interface InWords {
  readonly before: readonly string[] | null;
  readonly after: readonly string[];
}

/** Effects of a change that no event shows, such as the texts that are published. */
export interface Beside {
  /** Shown to the person who approves the change. */
  readonly inWords?: InWords;
}

/** The same, as part of a request. */
export interface Happening extends Told {
  /** Whether it follows from another change of the request. */
  follows: boolean;
  beside?: Beside | undefined;
}

/** For a deleted record, the data is its last state. */
export function happeningOf<Data extends object>(
  type: EventType<Data>,
  after: Subject<Data> | null,
  before: Subject<Data> | null,
): Told {
  const subject = (after ?? before) as Subject<Data>;
  const shown = (record: Subject<Data> | null) => record && (viewOf(type.output, record) as Fields);
  const images = { before: shown(before), after: shown(after) };
  const target = { type: type.subject, id: subject.id };
  const change = { target, propertyId: type.at(subject), ...changeOf(type, images) };
  const stored: Images = { before, after };
  const changed = differenceOf(stored, images);
  const undo = undoOf(type, stored, changed);
  const { name = null } = subject as { name?: string | null };
  return { type: type.name, name, data: (images.after ?? images.before) as Fields, change, changed, undo };
}

/** The differences as events show them, including the free text that the trail does not keep. */
export function shownChange({ data, change: { before, after }, changed }: Told): Images {
  const isChange = before && after;
  const said = (kept: object | null = null, from: Fields | null): Fields | null =>
    kept &&
    Object.fromEntries(Object.entries(kept).map(([name, value]) => [name, value === notKept ? from?.[name] : value]));
  return {
    before: said(before, isChange ? changed.before : data),
    after: said(after, isChange ? changed.after : data),
  };
}

const undoOf = ({ undo }: EventType, { before, after }: Images, { before: set }: Images): Undo =>
  typeof undo === 'function' ? undo({ after: after ?? {}, before: before ?? {}, set: set ?? {} }) : undo;

export const stepOf = (
  entryId: string,
  eventId: string,
  { type, change, undo, changed, follows }: Happening,
): NotedChange => ({
  entryId,
  eventId,
  type,
  subjectId: change.target.id,
  follows,
  kept: isStep(undo) ? { step: undo, changed } : 'never' in undo ? undo.never : undo.remains,
});
