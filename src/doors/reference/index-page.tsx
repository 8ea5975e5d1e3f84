import { pageOf, titleOf } from './feature-names.js';
import type { Guide } from './guides.js';
import { markdown } from './markdown.js';
import type { Feature } from './reading.js';

/** What holds for every operation, and where each one is described. */
export const IndexPage = ({ features, basics }: { features: readonly Feature[]; basics: string }) => (
  <>
    <h1>API reference</h1>
    <p>
      For programs: the <a href="/openapi.json">OpenAPI document</a> and a{' '}
      <a href="/postman.json">Postman collection</a>. For language models: <a href="/llms.txt">llms.txt</a> and{' '}
      <a href="/llms-full.txt">llms-full.txt</a>. <a href="/docs/guides">Guides</a> explain how to use them.
    </p>
    {features.map(({ name, operations }) => (
      <section>
        <h2>
          <a href={`/docs/${pageOf(name)}`}>{titleOf(name)}</a>
        </h2>
        <ul class="contents">
          {operations.map((one) => (
            <li>
              <a href={`/docs/${pageOf(name)}#${one.name}`}>{one.title}</a>
            </li>
          ))}
        </ul>
      </section>
    ))}
    {markdown(basics, (target) => target)}
  </>
);

export const GuidesPage = ({ all }: { all: readonly Guide[] }) => (
  <>
    <h1>Guides</h1>
    <ul>
      {all.map(({ name, title }) => (
        <li>
          <a href={`/docs/guides/${name}`}>{title}</a>
        </li>
      ))}
    </ul>
  </>
);
