import { one, type Operation, operation, page } from '#operations';
import { setPropertyStatus } from '../../../tenancy/properties/properties.operations.js';
import { setUnitStatus } from '../../../tenancy/units/units.operations.js';
import { unassignUnit } from '../assignments/assignments.operations.js';
import { CreateUnitBlock, ListUnitBlocks, ThisUnitBlock, UnitBlockView, UpdateUnitBlock } from './unit-block.dto.js';
import { blockHasEnded, blockWithoutNight } from './unit-blocks.errors.js';
import { placeIsTaken, unitWithoutType } from '../reservations.errors.js';
import { propertyIsArchived, unitIsArchived } from '../../../tenancy/properties/properties.errors.js';
import { unitTypeIsArchived, unitTypeIsFull } from '../../../tenancy/unit-types/unit-types.errors.js';

/** A block may take the units of stays, and its place comes back in a status. */
const besideNights = ({ force, returnStatus }: Pick<UpdateUnitBlock, 'force' | 'returnStatus'>): Operation[] => [
  ...(force ? [unassignUnit] : []),
  ...(returnStatus === undefined ? [] : [setUnitStatus, setPropertyStatus]),
];

/** Other nights: those that it no longer blocks are free, and those that it now blocks cannot be booked. */
const changesNights = ({ from, until, kind }: UpdateUnitBlock): boolean =>
  [from, until, kind].some((value) => value !== undefined);

export const createUnitBlock = operation({
  name: 'createUnitBlock',
  route: 'POST /properties/{propertyId}/unit-blocks',
  scope: 'properties:write',
  effect: 'write',
  reach: 'property',
  title: 'Block a unit',
  description:
    'Blocks nights of a unit or of a whole property. Rejected if a confirmed stay has them, unless force: true takes the unit from those that are not in house.',
  askedAs: 'take a room out of order for a repair, owner use, close a room',
  refuses: [
    blockWithoutNight,
    placeIsTaken,
    propertyIsArchived,
    unitIsArchived,
    unitTypeIsArchived,
    unitTypeIsFull,
    unitWithoutType,
  ],
  input: CreateUnitBlock,
  carriesOut: (input) => besideNights(input),
  output: one(UnitBlockView),
  status: 201,
});

export const listUnitBlocks = operation({
  name: 'listUnitBlocks',
  route: 'GET /properties/{propertyId}/unit-blocks',
  scope: 'properties:read',
  effect: 'read',
  reach: 'property',
  title: 'List blocks',
  description: 'Lists the blocks of a property and its units.',
  askedAs: 'which rooms are out of order, blocked rooms',
  input: ListUnitBlocks,
  output: page(UnitBlockView),
});

export const getUnitBlock = operation({
  name: 'getUnitBlock',
  route: 'GET /properties/{propertyId}/unit-blocks/{blockId}',
  scope: 'properties:read',
  effect: 'read',
  reach: 'property',
  title: 'Get a block',
  description: 'Returns one block.',
  askedAs: 'show why a room is blocked, read one block',
  input: ThisUnitBlock,
  output: one(UnitBlockView),
});

export const updateUnitBlock = operation({
  name: 'updateUnitBlock',
  route: 'PATCH /properties/{propertyId}/unit-blocks/{blockId}',
  scope: 'properties:write',
  effect: 'write',
  reach: 'property',
  title: 'Change a block',
  description: 'Changes the given fields of a block. Rejected like a new block if a confirmed stay has its nights.',
  askedAs: 'extend an out-of-order period, repair takes longer, other reason',
  refuses: [blockHasEnded, blockWithoutNight, placeIsTaken, unitTypeIsArchived, unitTypeIsFull, unitWithoutType],
  input: UpdateUnitBlock,
  carriesOut: (input) => [...besideNights(input), ...(changesNights(input) ? [createUnitBlock, endUnitBlock] : [])],
  output: one(UnitBlockView),
});

export const endUnitBlock = operation({
  name: 'endUnitBlock',
  route: 'POST /properties/{propertyId}/unit-blocks/{blockId}/end',
  scope: 'properties:write',
  effect: 'write',
  reach: 'property',
  title: 'End a block',
  description: 'Ends a block today: the nights from today on are free, and the unit gets its returnStatus.',
  askedAs: 'put a room back into service, unblock, repaired',
  input: ThisUnitBlock,
  output: one(UnitBlockView),
});
