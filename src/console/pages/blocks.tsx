import { type UnitBlockView, blockKinds } from '../../features/reservations/blocks/unit-block.dto.js';
import { createUnitBlock, endUnitBlock } from '../../features/reservations/blocks/unit-blocks.operations.js';
import type { Page } from '#operations';
import { type ConsoleForm, form } from '../frame/console-page.js';
import { Act } from '../parts/act.js';
import { type Choices, Entry } from '../parts/entry.js';
import { Table } from '../parts/list.js';
import { humanized } from '../parts/words.js';
import type { Names } from './names.js';

export const blockForms: readonly ConsoleForm[] = [
  form(createUnitBlock, 'The nights were blocked.'),
  form(endUnitBlock, 'The block was ended.'),
];

const kinds: Choices = blockKinds.map((kind) => [
  kind,
  kind === 'out_of_service'
    ? `${humanized(kind)} – shown, can still be booked`
    : `${humanized(kind)} – cannot be booked`,
]);

interface BlockProps {
  propertyId: string;
  /** Null for the whole property. */
  unitId: string | null;
  /** The name of what is blocked. */
  name: string;
  /** The date at the property. */
  today: string;
}

/** Blocks nights of a room, or of the whole property. */
export const Block = ({ propertyId, unitId, name, today }: BlockProps) => (
  <Act
    does={createUnitBlock}
    to={{ propertyId, unitId }}
    label={unitId ? 'Block' : 'Block the whole property'}
    of={unitId ? name : undefined}
    ask="Nights on which nobody can book it:"
  >
    <Entry name="kind" choices={kinds} />
    <Entry name="from" label="First night" value={today} />
    <Entry name="until" label="Ends on" hint="The day after the last night. Empty: until you end it." />
    <Entry name="reason" />
    <Entry name="returnStatus" label="Cleaning status when it ends" value="dirty" isRequired />
    {unitId && (
      <Entry
        name="force"
        label="Take the room from future stays"
        value="false"
        hint="They then wait for another room. Guests in house are not affected."
      />
    )}
  </Act>
);

/** A block in words. */
export const nightsOf = ({ from, until }: Pick<UnitBlockView, 'from' | 'until'>): string =>
  `${from} to ${until ?? 'whenever it is ended'}`;

interface BlocksProps {
  page: Page<UnitBlockView>;
  rooms: Names;
}

/** The blocks of a property that have not ended. */
export const Blocks = ({ page, rooms }: BlocksProps) => (
  <>
    <h2 id="blocks">Blocks</h2>
    <Table
      caption="Blocks"
      items={page.items}
      empty="No nights are blocked."
      columns={[
        [
          'What',
          ({ id, unitId }) => <strong id={id}>{unitId ? (rooms.get(unitId) ?? unitId) : 'The whole property'}</strong>,
        ],
        ['Kind', ({ kind }) => humanized(kind)],
        ['Nights', nightsOf],
        ['Reason', ({ reason }) => reason ?? '–'],
        [
          '',
          ({ id: blockId, propertyId, unitId }) => (
            <div class="acts">
              <Act
                does={endUnitBlock}
                to={{ propertyId, blockId }}
                label="End"
                of={(unitId && rooms.get(unitId)) ?? 'the block'}
                ask="The nights from today on can be booked again."
                isDangerous={false}
              />
            </div>
          ),
        ],
      ]}
    />
    {page.nextCursor && <p class="soft">Only the first 100 blocks are listed.</p>}
  </>
);
