import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Caller } from '#access';
import { PushSettings, pushProvider } from '../../../outside/by-reference/push-settings.dto.js';
import {
  ConnectionProvider,
  ConnectionProviders,
  type Ending,
  type Pulled,
} from '../../../outside/connections/connection-provider.js';
import type { Connection } from '../../../outside/connections/connection.entity.js';
import { ImportsService } from '../imports/imports.service.js';
import { wouldCancelStays } from '../reservations.errors.js';
import { reservationCancelled } from '../reservations.events.js';
import type { Reservation } from '../reservation.entity.js';
import { ReservationsRepository } from '../reservations.repository.js';
import { StayChanges } from '../stay-changes.service.js';
import { StayPlaces } from '../stay-places.js';
import { inStatus } from './pushed-states.js';

const noCounts = { created: 0, updated: 0, cancelled: 0, unchanged: 0 };

/** A system that writes to us, under its own ids. */
@Injectable()
export class PushProvider extends ConnectionProvider<PushSettings> implements OnModuleInit {
  readonly provider = pushProvider;
  readonly kind = 'pms';
  readonly settings = PushSettings;
  readonly isInProcess = false;
  override readonly pulls = false;

  constructor(
    private readonly providers: ConnectionProviders,
    private readonly imports: ImportsService,
    private readonly reservations: ReservationsRepository,
    private readonly places: StayPlaces,
    private readonly changes: StayChanges,
  ) {
    super();
  }

  onModuleInit(): void {
    this.providers.register(this);
  }

  async check(caller: Caller, { propertyId }: PushSettings): Promise<string | null> {
    return propertyId ? (await this.places.usable(caller, { propertyId })).property.id : null;
  }

  pull(): Promise<Pulled> {
    return Promise.resolve({ outcome: 'pulled', apply: () => Promise.resolve(noCounts) });
  }

  /** Its stays are ours from now on, or the future ones are cancelled. */
  async release(caller: Caller, connection: Connection, { force, stays, most }: Ending): Promise<boolean> {
    if (stays === 'cancel') {
      const toCome = await this.reservations.toCome(connection);
      if (!force && toCome.length > 0) throw wouldCancelStays(toCome.length);
      await this.cancel(caller, toCome.slice(0, most));
      if (toCome.length > most) return true;
    }
    return await this.imports.release(connection, most);
  }

  private async cancel(caller: Caller, toCome: readonly Reservation[]): Promise<void> {
    const { expectedVersion: _ofTheConnection, ...by } = caller;
    const stays = (await this.changes.forChangeAll(by, toCome)).flatMap((one) => ('value' in one ? one.value : []));
    await this.changes.changeAll(
      by,
      stays.map((stay) => ({ stay, changes: inStatus('cancelled'), happened: reservationCancelled })),
    );
  }
}
