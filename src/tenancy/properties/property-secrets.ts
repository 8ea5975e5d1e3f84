import { Inject, Injectable } from '@nestjs/common';
import { randomBase62 } from '#regions';
import { Keyring } from '#secrets';
import { type Config, CONFIG } from '../../platform/config/app.config.js';
import type { CalendarFeedView, Wifi } from './property.dto.js';
import type { Property } from './property.entity.js';

/** What a property stores sealed: its Wi-Fi and the address of its calendar feed. */
@Injectable()
export class PropertySecrets {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly keyring: Keyring,
  ) {}

  openWifi({ id, wifi }: Property): Wifi | null {
    return wifi && (JSON.parse(this.keyring.open(wifi, wifiContext(id))) as Wifi);
  }

  sealWifi(propertyId: string, wifi: Wifi | null): Buffer | null {
    return wifi && this.keyring.seal(JSON.stringify(wifi), wifiContext(propertyId));
  }

  /** Sealed to be shown again, hashed to be found by. */
  newFeed(propertyId: string): Pick<Property, 'feedToken' | 'feedHash'> {
    const token = randomBase62();
    return { feedToken: this.keyring.seal(token, feedContext(propertyId)), feedHash: this.keyring.hash(token) };
  }

  feedOf({ id, feedToken }: Property): CalendarFeedView {
    return { url: `${this.config.baseUrl}/calendars/${this.keyring.open(feedToken, feedContext(id))}.ics` };
  }
}

const wifiContext = (propertyId: string): string => `wifi:${propertyId}`;
const feedContext = (propertyId: string): string => `feed:${propertyId}`;
