import type { BlockView, SectionView } from '../guide-content.dto.js';
import { isLink } from '../links.js';
import { textKey } from '../translations/texts.js';
import { Places } from './guide-places.js';
import { Line, Link, Paragraphs } from './guide-text.js';
import { directionOf, ownNameOf } from './locales.js';
import type { PublicContent } from './public-content.js';
import { type Read, readingIn } from './reading.js';
import { wordingOf } from './wording.js';

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
