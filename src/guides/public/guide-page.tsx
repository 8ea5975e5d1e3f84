import type { BlockView, SectionView } from '../guide.dto.js';
import { isLink } from '../links.js';
import { placeCategories } from '../places/place.dto.js';
import { textKey } from '../translations/texts.js';
import { directionOf, ownNameOf } from './locales.js';
import type { PublicContent, PublicPlace } from './public-content.js';
import { fragmentsOf, type Read, readingIn, type ShownText } from './reading.js';
import { type Wording, wordingOf } from './wording.js';

const copyrightOfOsm = 'https://www.openstreetmap.org/copyright';

interface GuideProps {
  content: PublicContent;
  /** One of the languages that it is offered in. */
  locale: string;
}

/** A guide as guests read it. Everything in it is text to Preact, and so escaped; links are of a few harmless kinds. */
export function GuidePage({ content, locale }: GuideProps) {
  const read = readingIn(content, locale);
  const wording = wordingOf(locale);
  const { name, sourceLocale, targetLocales, sections, places } = content;
  const title = read(textKey.name, name);
  return (
    <article class="guide">
      <h1 {...title.attributes}>{title.text}</h1>
      <Languages locales={[sourceLocale, ...targetLocales]} current={locale} label={wording.languages} />
      {sections.map((section) => (
        <SectionOf key={section.id} section={section} read={read} />
      ))}
      <Places places={places} read={read} wording={wording} />
    </article>
  );
}

function Languages({ locales, current, label }: { locales: string[]; current: string; label: string }) {
  if (locales.length < 2) return null;
  return (
    <nav class="places" aria-label={label}>
      <ul>
        {locales.map((locale) => (
          <li key={locale}>
            <a
              href={`?locale=${locale}`}
              lang={locale}
              hreflang={locale}
              dir={directionOf(locale)}
              aria-current={locale === current ? 'page' : undefined}
            >
              {ownNameOf(locale)}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function SectionOf({ section, read }: { section: SectionView; read: Read }) {
  const { text, attributes } = read(textKey.title(section.id), section.title);
  return (
    <section class="panel">
      <h2 {...attributes}>{text}</h2>
      {section.blocks.map((block) => (
        <BlockOf key={block.id} block={block} read={read} />
      ))}
    </section>
  );
}

function BlockOf({
  block: { id, kind, text = '', steps = [], url = '', value },
  read,
}: {
  block: BlockView;
  read: Read;
}) {
  const shown = read(textKey.text(id), text);
  switch (kind) {
    case 'text':
      return <Paragraphs of={shown} />;
    case 'steps':
      return (
        <ol>
          {steps.map((step, index) => {
            const line = read(textKey.step(id, index), step);
            return (
              <li key={index} {...line.attributes}>
                <Line text={line.text} />
              </li>
            );
          })}
        </ol>
      );
    case 'link':
      return <p {...shown.attributes}>{isLink(url) ? <Link url={url}>{shown.text}</Link> : shown.text}</p>;
    case 'fact':
      return (
        <dl class="facts">
          <dt {...shown.attributes}>{shown.text}</dt>
          <dd>
            <code dir="auto">{value}</code>
          </dd>
        </dl>
      );
  }
}

/** An empty line begins a paragraph. */
const Paragraphs = ({ of: { text, attributes } }: { of: ShownText }) => (
  <>
    {text.split(/\n\s*\n/).map((paragraph, index) => (
      <p key={index} {...attributes}>
        {paragraph.split('\n').map((line, at) => (
          <>
            {at > 0 && <br />}
            <Line text={line} />
          </>
        ))}
      </p>
    ))}
  </>
);

const Line = ({ text }: { text: string }) => (
  <>
    {fragmentsOf(text).map((fragment) => {
      if (fragment.kind === 'code') return <code dir="auto">{fragment.text}</code>;
      return fragment.kind === 'link' ? <Link url={fragment.text}>{fragment.text}</Link> : fragment.text;
    })}
  </>
);

const Link = ({ url, children }: { url: string; children: string }) => (
  <a href={url} class={children === url ? 'bare' : undefined} rel="noopener noreferrer nofollow">
    {children}
  </a>
);

interface PlacesProps {
  places: readonly PublicPlace[];
  read: Read;
  wording: Wording;
}

/** By category, and below them whom the sources of their facts want named. */
function Places({ places, read, wording }: PlacesProps) {
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
        <p key={attribution} class="soft" dir="auto">
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
      <h4 dir="auto">{name}</h4>
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
      <dd dir="auto">{url && isLink(url) ? <Link url={url}>{children}</Link> : children}</dd>
    </>
  );
}
