import { KeptText } from '../../platform/http/kept-text.js';
import { basics } from '../openapi/introduction.js';
import { pageOf, titleOf } from './feature-names.js';
import { FeaturePage } from './feature-page.js';
import { framed, pageHeaders } from './frame.js';
import { guides, targetOf } from './guides.js';
import { GuidesPage, IndexPage } from './index-page.js';
import { type Addresses, llmsFullText, llmsText } from './llms-text.js';
import { markdown } from './markdown.js';
import { type Described, type Feature, featuresOf } from './reading.js';

/** Every page of the documentation by its path. Each is written when somebody first asks for it. */
export function pagesOf(
  addresses: Addresses,
  features: readonly string[],
  describe: () => Promise<Described>,
): Map<string, KeptText> {
  const all = guides();
  const page = (write: () => string | Promise<string>): KeptText =>
    new KeptText('html', async () => await write(), pageHeaders);
  const text = (write: (of: Addresses, known: Feature[]) => string): KeptText =>
    new KeptText('text', async () => write(addresses, featuresOf(await describe())));
  return new Map([
    ['/llms.txt', text(llmsText)],
    ['/llms-full.txt', text(llmsFullText)],
    [
      '/docs',
      page(async () => {
        const known = featuresOf(await describe());
        return framed({ title: 'API reference', children: <IndexPage features={known} basics={basics} /> });
      }),
    ],
    ...features.map(
      (name) => [`/docs/${pageOf(name)}`, page(async () => featurePage(name, await describe()))] as const,
    ),
    ['/docs/guides', page(() => framed({ title: 'Guides', children: <GuidesPage all={all} /> }))],
    ...all.map(
      ({ name, title, text: guide }) =>
        [`/docs/guides/${name}`, page(() => framed({ title, children: markdown(guide, targetOf) }))] as const,
    ),
  ]);
}

function featurePage(name: string, described: Described): string {
  const features = featuresOf(described);
  const feature = features.find((one) => one.name === name) as Feature;
  const { schemas } = described.components;
  return framed({
    title: titleOf(name),
    isTriable: true,
    children: <FeaturePage feature={feature} schemas={schemas} lists={listsOf(features)} />,
  });
}

/** Where each list is that needs no other id, by the name of its operation. */
const listsOf = (features: readonly Feature[]): ReadonlyMap<string, string> =>
  new Map(
    features
      .flatMap(({ operations }) => operations)
      .filter(({ name, path }) => name.startsWith('list') && !path.includes('{'))
      .map(({ name, path }) => [name, path]),
  );
