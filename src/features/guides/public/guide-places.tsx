import { isLink } from '../links.js';
import { placeCategories } from '../place-categories.js';
import { textKey } from '../translations/texts.js';
import { Link, Paragraphs } from './guide-text.js';
import type { PublicPlace } from './public-content.js';
import type { Read } from './reading.js';
import type { Wording } from './wording.js';

const copyrightOfOsm = 'https://www.openstreetmap.org/copyright';

interface PlacesProps {
  places: readonly PublicPlace[];
  read: Read;
  wording: Wording;
}

/** By category, and below them whom the sources of their facts want named. */
export function Places({ places, read, wording }: PlacesProps) {
  if (places.length === 0) return null;
  const attributions = [...new Set(places.flatMap(({ attribution }) => attribution ?? []))];
  return (
    <section class="panel">
      <h2>{wording.places}</h2>
      {placeCategories.map((category) => {
        const found = places.filter((place) => place.category === category);
        return (
          found.length > 0 && (
            <section key={category}>
              <h3>{wording[category]}</h3>
              {found.map((place) => (
                <PlaceOf key={place.id} place={place} read={read} wording={wording} />
              ))}
            </section>
          )
        );
      })}
      {attributions.map((attribution) => (
        <p key={attribution} class="soft">
          {attribution.includes('OpenStreetMap') ? <Link url={copyrightOfOsm}>{attribution}</Link> : attribution}
        </p>
      ))}
    </section>
  );
}

function PlaceOf({ place, read, wording }: { place: PublicPlace; read: Read; wording: Wording }) {
  const { id, name, note, address, geo, phone, website, openingHours } = place;
  return (
    <div class="place">
      <h4>
        <bdi>{name}</bdi>
      </h4>
      {note && <Paragraphs of={read(textKey.note(id), note)} />}
      <dl class="facts">
        <Fact label={wording.address}>{address}</Fact>
        <Fact label={wording.phone} url={phone ? `tel:${phone.replaceAll(/[^\d+]/g, '')}` : undefined}>
          {phone}
        </Fact>
        <Fact label={wording.website} url={website ?? undefined}>
          {website}
        </Fact>
        <Fact label={wording.openingHours}>{openingHours}</Fact>
      </dl>
      {geo && (
        <p>
          <Link url={mapOf(geo)}>{wording.map}</Link>
        </p>
      )}
    </div>
  );
}

const mapOf = ({ latitude, longitude }: { latitude: number; longitude: number }): string =>
  `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=18/${latitude}/${longitude}`;

function Fact({ label, url, children }: { label: string; url?: string; children: string | null }) {
  if (!children) return null;
  return (
    <>
      <dt>{label}</dt>
      <dd>
        <bdi>{url && isLink(url) ? <Link url={url}>{children}</Link> : children}</bdi>
      </dd>
    </>
  );
}
