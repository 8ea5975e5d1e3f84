import { fragmentsOf, type ShownText } from './reading.js';

/** An empty line begins a paragraph. */
export const Paragraphs = ({ of: { text, attributes } }: { of: ShownText }) => (
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

export const Line = ({ text }: { text: string }) => (
  <>
    {fragmentsOf(text).map((fragment) => {
      if (fragment.kind === 'code') return <code dir="auto">{fragment.text}</code>;
      return fragment.kind === 'link' ? <Link url={fragment.text}>{fragment.text}</Link> : fragment.text;
    })}
  </>
);

export const Link = ({ url, children }: { url: string; children: string }) => (
  <a href={url} class={children === url ? 'bare' : undefined} rel="noopener noreferrer nofollow">
    {children}
  </a>
);
