import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import type { Checkout } from './checkout.js';
import type { Edit } from './mutant.js';

/** A change of one random place in the sources. */
export interface RandomMutant {
  /** `src/features/tasks/task-times.ts:31 condition flipped: previous < start`. */
  name: string;
  edit: Edit;
  /**
   * The folders of tests that should detect it; none if no folder of tests has the name of one of the file's folders.
   */
  suites: string[];
}

interface Place {
  what: 'condition flipped' | 'statement dropped' | 'refusal dropped';
  node: ts.Node;
  readonly replace: (text: string) => string;
}

/**
 * The same choice for the same seed and sources.
 *
 * @param count how many places are changed, each in a separate mutant.
 * @param isNear whether to choose only places whose folder has tests of its own.
 */
export function randomMutants(count: number, seed: string, isNear: boolean): RandomMutant[] {
  const all = globSync('{src,libs}/**/*.{ts,tsx}', { exclude: ['src/platform/migrations/**', '**/*.d.ts'] }).flatMap(
    mutantsIn,
  );
  const rank = ({ name }: RandomMutant): string => createHash('sha256').update(`${seed}\n${name}`).digest('hex');
  return all
    .filter(({ suites }) => !isNear || suites.length > 0)
    .map((mutant) => ({ mutant, rank: rank(mutant) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .slice(0, count)
    .map(({ mutant }) => mutant);
}

/** How many mutants were tried, and the names of those that no test detected. */
export interface Tried {
  count: number;
  survivors: string[];
}

/** The tests of the mutant's folder run first; all others only if those detect nothing, and not if `isNear`. */
export async function tryRandom(
  mutants: readonly RandomMutant[],
  checkout: Checkout,
  report: (verdict: string, seconds: number, name: string) => void,
  isNear: boolean,
): Promise<Tried> {
  const survivors: string[] = [];
  for (const { name, edit, suites } of mutants) {
    const takeBack = checkout.change([edit]);
    checkout.compile(edit.file);
    checkout.bundle();
    const begun = Date.now();
    const near = suites.length > 0 ? await checkout.firstFailure(suites) : undefined;
    const failure = near ?? (isNear ? undefined : await checkout.firstFailure([]));
    takeBack();
    checkout.compile(edit.file);
    const verdict = failure ? (failure.isTimeout ? 'timeout' : 'killed') : 'SURVIVED';
    report(verdict, (Date.now() - begun) / 1_000, failure ? `${name} (${failure.test})` : name);
    if (!failure) survivors.push(name);
  }
  return { count: mutants.length, survivors };
}

function mutantsIn(file: string): RandomMutant[] {
  const text = readFileSync(file, 'utf8');
  return placesIn(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)).map((place) => mutantOf(place, text));
}

function mutantOf({ what, node, replace }: Place, text: string): RandomMutant {
  const source = node.getSourceFile();
  const [start, code] = [node.getStart(), node.getText()];
  const { line } = source.getLineAndCharacterOfPosition(start);
  const firstLine = code.split('\n', 1)[0] as string;
  return {
    name: `${source.fileName}:${line + 1} ${what}: ${firstLine}`,
    edit: {
      file: source.fileName,
      find: text,
      replace: text.slice(0, start) + replace(code) + text.slice(node.getEnd()),
    },
    suites: suitesOf(source.fileName),
  };
}

/** Conditions, statements and errors; declarations (types, decorators, imports) contain none of them. */
function placesIn(source: ts.SourceFile): Place[] {
  const places: Place[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isDecorator(node)) return;
    const condition = conditionOf(node);
    if (condition) places.push({ what: 'condition flipped', node: condition, replace: (text) => `!(${text})` });
    if (ts.isThrowStatement(node)) places.push({ what: 'refusal dropped', node, replace: () => ';' });
    if (ts.isExpressionStatement(node) && !isSuperCall(node.expression))
      places.push({ what: 'statement dropped', node, replace: () => ';' });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return places;
}

/** Without it no object is created at all, which proves nothing about tests. */
const isSuperCall = (node: ts.Expression): boolean =>
  ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.SuperKeyword;

function conditionOf(node: ts.Node): ts.Expression | undefined {
  if (ts.isIfStatement(node) || ts.isWhileStatement(node)) return node.expression;
  return ts.isConditionalExpression(node) ? node.condition : undefined;
}

/** Folders whose tests have another name. */
const testedAs: Readonly<Record<string, string>> = {
  'approval-rules': 'approvals',
  audit: 'events',
  errors: 'edge',
  http: 'edge',
  processes: 'ops',
  'shifted-time': 'clock',
  tenancy: 'organizations',
  undo: 'events',
  'wake-ups': 'jobs',
  webhooks: 'events',
};

/** Tests mirror the folders of the sources: the innermost folder that has tests of its own, under its longest path. */
function suitesOf(file: string): string[] {
  const folders = file
    .split('/')
    .slice(1, -1)
    .map((folder) => testedAs[folder] ?? folder);
  for (let end = folders.length; end > 0; end--) {
    for (let start = 0; start < end; start++) {
      const path = folders.slice(start, end).join('/');
      const found = ['unit', 'integration'].map((kind) => `test/${kind}/${path}/`).filter((tests) => existsSync(tests));
      if (found.length > 0) return found;
    }
  }
  return [];
}
