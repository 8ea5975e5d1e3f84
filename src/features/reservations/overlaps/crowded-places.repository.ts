import { Injectable } from '@nestjs/common';
import { dueInTurns, soonestOf } from '#jobs';
import { newId, recordOf, TenantDatabase, uuidIn } from '#persistence';
import { SystemDatabase } from '#system-database';
import type { Act } from '../../../platform/audit/act.js';
import type { Nights } from '../../../tenancy/stays/nights.repository.js';

const places = { table: 'crowded_places', since: 'due_at' };
const duePlaces = dueInTurns(places);
export const soonestCrowdedPlace = soonestOf(places);

/** Units of a type, or of a whole property, for nights on which there are more or fewer of them than before. */
export interface CrowdedPlace extends Nights {
  propertyId: string;
  unitTypeId: string | null;
  /** Whether only stays that are flagged may be other than they are flagged. */
  onlyFlagged: boolean;
}

/** A segment of a stay in the order of last nights. */
export interface InOrder {
  until: string;
  stayId: string;
}

export interface DuePlace {
  orgId: string;
  id: string;
}

/** A place, who changed it, null for the service, and up to which segment stays are as they should be. */
export interface BegunPlace {
  place: CrowdedPlace;
  act: Act | null;
  after: InOrder | null;
}

/** The places of which stays are still to be flagged or cleared. */
@Injectable()
export class CrowdedPlacesRepository {
  constructor(
    private readonly database: TenantDatabase,
    private readonly system: SystemDatabase,
  ) {}

  /** Over all organizations, in turn. */
  async due(now: string): Promise<DuePlace[]> {
    return (await this.system.rows(duePlaces, [now])).map(recordOf('place'));
  }

  async begin(orgId: string, place: CrowdedPlace, act: Act | undefined): Promise<void> {
    await this.database.rows(
      orgId,
      `insert into crowded_places (org_id, id, property_id, place, due_at, act)
       values ($1, $2, $3, $4::jsonb, $5, $6::jsonb)`,
      [
        uuidIn(orgId),
        uuidIn(newId('place')),
        uuidIn(place.propertyId),
        JSON.stringify(place),
        new Date().toISOString(),
        act && JSON.stringify(act),
      ],
    );
  }

  /** Undefined if it is over. */
  async find({ orgId, id }: DuePlace): Promise<BegunPlace | undefined> {
    const text = 'select place, act, after from crowded_places where org_id = $1 and id = $2';
    const [row] = await this.database.rows(orgId, text, [uuidIn(orgId), uuidIn(id)]);
    return row as BegunPlace | undefined;
  }

  async goOn({ orgId, id }: DuePlace, after: InOrder): Promise<void> {
    const text = 'update crowded_places set after = $3::jsonb where org_id = $1 and id = $2';
    await this.database.rows(orgId, text, [uuidIn(orgId), uuidIn(id), JSON.stringify(after)]);
  }

  async end({ orgId, id }: DuePlace): Promise<void> {
    const text = 'delete from crowded_places where org_id = $1 and id = $2';
    await this.database.rows(orgId, text, [uuidIn(orgId), uuidIn(id)]);
  }
}
