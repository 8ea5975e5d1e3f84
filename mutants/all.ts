import { addresses } from './addresses.js';
import { approvals } from './approvals.js';
import { bounds } from './bounds.js';
import { boardMutants } from './boards.js';
import { claims } from './claims.js';
import { clientMutants } from './client.js';
import { consoleMutants } from './console.js';
import { credentials } from './credentials.js';
import { crowdedMutants } from './crowded.js';
import { devices } from './devices.js';
import { edge } from './edge.js';
import { endings } from './endings.js';
import { guestMutants } from './guests.js';
import { keys } from './keys.js';
import type { Mutant } from './mutant.js';
import { neighbours } from './neighbours.js';
import { nightMutants } from './nights.js';
import { passwordChanges } from './password-changes.js';
import { people } from './people.js';
import { places } from './places.js';
import { publishing } from './publishing.js';
import { quotaMutants } from './quotas.js';
import { races } from './races.js';
import { rehearsals } from './rehearsals.js';
import { readers } from './readers.js';
import { referenceMutants } from './references.js';
import { refusals } from './refusals.js';
import { roomMutants } from './rooms.js';
import { requests } from './requests.js';
import { searches } from './searches.js';
import { shedding } from './shedding.js';
import { shownMutants } from './shown.js';
import { signIn } from './sign-in.js';
import { tenancy } from './tenancy.js';
import { trail } from './trail.js';
import { turns } from './turns.js';
import { undo } from './undo.js';
import { wakeUps } from './wake-ups.js';
import { writes } from './writes.js';

export const all: readonly Mutant[] = [
  ...edge,
  ...addresses,
  ...claims,
  ...clientMutants,
  ...consoleMutants,
  ...credentials,
  ...keys,
  ...people,
  ...signIn,
  ...passwordChanges,
  ...endings,
  ...tenancy,
  ...writes,
  ...places,
  ...guestMutants,
  ...races,
  ...roomMutants,
  ...nightMutants,
  ...crowdedMutants,
  ...rehearsals,
  ...approvals,
  ...undo,
  ...boardMutants,
  ...searches,
  ...quotaMutants,
  ...devices,
  ...publishing,
  ...trail,
  ...neighbours,
  ...bounds,
  ...readers,
  ...referenceMutants,
  ...refusals,
  ...turns,
  ...wakeUps,
  ...shedding,
  ...shownMutants,
  ...requests,
];
