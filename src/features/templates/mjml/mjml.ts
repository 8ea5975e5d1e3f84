import mjml from 'mjml';

/** The result of compiling a source: HTML, and MJML's findings. */
export interface Compiled {
  html: string;
  faults: string[];
}

interface Fault {
  line: number;
  message: string;
}

/** No fonts and no files: a letter loads nothing that its author did not name. */
const options = { fonts: {}, ignoreIncludes: true, keepComments: false, validationLevel: 'soft' } as const;
const maxHtml = 512 * 1_024;

/** Compiles MJML to HTML. This takes long enough to need a thread. */
export async function compile(source: string): Promise<Compiled> {
  try {
    const { html, errors } = await mjml(source, options);
    if (html.length > maxHtml) return { html: '', faults: ['It compiles to more than 512 KiB of HTML. Shorten it.'] };
    return { html, faults: (errors as Fault[]).map(({ line, message }) => `Line ${line}: ${message}`) };
  } catch (error) {
    return { html: '', faults: [(error as Error).message] };
  }
}
