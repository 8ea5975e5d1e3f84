import { CounterOrTime, Text } from '#operations';
import { ThisConnection } from '../connections/connection.dto.js';
import type { SourceVersion } from './source-version.js';

/** A record by the id that another system has for it. */
export class ThisReference extends ThisConnection {
  @Text({ description: 'Your own id of the record; percent-encoded in a path.', max: 200 }) externalId: string;
}

export class VersionedReference extends ThisReference {
  @CounterOrTime({
    description: 'Version of the record in your system, a number or a time; an older one is rejected.',
    optional: true,
  })
  sourceVersion?: SourceVersion;
}

const ref = { max: 200, optional: true };

export class AtPropertyRef {
  @Text({ description: 'Instead of propertyId: your id of the property in this connection.', ...ref })
  propertyRef?: string;
}

export class OfUnitTypeRef {
  @Text({ description: 'Instead of unitTypeId: your id of the unit type in this connection.', nullable: true, ...ref })
  unitTypeRef?: string | null;
}

export class InUnitRef {
  @Text({ description: 'Instead of unitId: your id of the unit in this connection.', nullable: true, ...ref })
  unitRef?: string | null;
}

export class ForGuestRef {
  @Text({ description: 'Instead of primaryGuest: your id of the guest in this connection.', nullable: true, ...ref })
  guestRef?: string | null;
}
