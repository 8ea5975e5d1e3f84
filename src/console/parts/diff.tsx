interface Patch {
  field: string;
  /** A unified diff. */
  patch: string;
}

/** The differences between two versions, line by line; the first character of each line shows the kind of change. */
export const Diff = ({ of }: { of: readonly Patch[] }) => (
  <>
    {of.map(({ field, patch }) => (
      <section key={field}>
        <h3>{field}</h3>
        <pre class="diff" tabindex={0}>
          {patch
            .split('\n')
            .filter((line) => !isHead(line))
            .map((line, at) => (
              <Line key={at} line={line} />
            ))}
        </pre>
      </section>
    ))}
  </>
);

/** The names of the two versions and the numbers of their lines say nothing to a reader. */
const isHead = (line: string): boolean => /^(={3,}|--- before|\+\+\+ after|@@ |\\ No newline)/.test(line);

const Line = ({ line }: { line: string }) =>
  line.startsWith('+') ? <ins>{line}</ins> : line.startsWith('-') ? <del>{line}</del> : <span>{line}</span>;
