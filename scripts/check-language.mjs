// Finds turns of phrase that are not plain English in texts for people and assistants, as far as a pattern can find
// them.
import { globSync, readFileSync } from 'node:fs';
import { commentsIn, proseIn, stringsIn, testNamesIn } from './texts-in.mjs';

/** A turn of phrase, and its replacement. */
const turns = [
  [/\b(?:is|are|was|were) none\b/i, 'say what is missing or wrong'],
  [/(?<!\bthere )\b(?:is|are|was|were) no (?!longer\b|more than\b|later than\b)/i, '"is not a …"'],
  [/\b(?:tells?|told|telling) of\b/i, '"reports", "describes"'],
  [/\bsay what\b/i, 'name what is wanted'],
  [/\banew\b/i, '"again", "new"'],
  [/\bfor good\b/i, '"permanently"'],
  [/\bby (?:itself|themselves)\b/i, '"automatically", "on its own"'],
  [/\bstands\b(?! for\b)/i, '"is"'],
  [/(?:^|[.!?:] )(?:Whoever|Whatever)\b/, 'name the person or thing'],
  [/\balone(?=[.!?;:]|$)/i, '"only" before what it limits'],
  [/\bat once\b/i, '"immediately" or "at the same time"'],
  [/\bmeanwhile\b/i, 'leave it out, or name the time'],
  [/\bbegun\b/i, '"started"'],
  [/\b(?:comes|came) to\b/i, '"is", "results in"'],
  [/\b(?:go|goes|went) away\b/i, '"ends", "is deleted"'],
  [/\bwhat cannot be\b/i, 'name what is wrong'],
  [/\b(?:has|have|had) not the\b/i, '"does not have the"'],
  [/\bout of (?:\S+ ){0,2}reach\b/i, '"unreachable"'],
  [/\bbehind the answer\b/i, '"in the background"'],
  [/\b(?:hold|holds|held|holding) to\b/i, '"follow", "keep", "match"'],
  [/\ba clock minute\b/i, '"per minute"'],
  [/\b(?:call|calls|called|calling) off\b/i, '"cancel"'],
  [/(?<!what(?:’s| is) )\b(?:go|goes|going|went) on\b(?! \d)/i, '"continue"'],
  [/\bin vain\b/i, '"without success"'],
  [/\ball the same\b/i, '"anyway"'],
  [/\bas ever\b/i, '"as usual", "unchanged"'],
  [/\bwhat (?:comes|came|becomes|became) of\b/i, '"the result", "what happens to"'],
  [/\bfor ever\b/i, '"forever"'],
  [/\bput(?:s|ting)? right\b/i, '"correct"'],
  [/\banyhow\b/i, '"in any case"'],
  [/\b(?:gives?|gave|giving) (?:\S+ ){0,3}loop up\b/i, '"yield the event loop"'],
  [/\bnot any more\b/i, '"no longer"'],
  [/\bin a ring\b|\brings? of folders\b/i, '"deadlock", "cycle"'],
  [/\bstays? (?:(?:that )?(?:is|are) )?(?:still )?to come\b/i, '"future stay"'],
];

/** Texts that keep a turn of phrase, each with the reason. */
const released = 'Released migrations never change, and neither do their comments.';
const exceptions = [
  { file: 'src/doors/mcp/synonyms.ts', text: 'stop, call off, drop', reason: 'What people write when they search.' },
  { file: 'src/platform/migrations/isolation.ts', text: 'or stands above an organization', reason: released },
  { file: 'src/platform/migrations/isolation.ts', text: 'that stands above the organizations', reason: released },
  { file: 'src/platform/migrations/1700000000011-audit.ts', text: '-- Made anew', reason: released },
  {
    file: 'src/platform/migrations/1700000000103-endpoint-makers.ts',
    text: 'that there are hold to',
    reason: released,
  },
  { file: 'src/platform/migrations/1700000000011-audit.ts', text: 'a seal tells of an entry', reason: released },
  {
    file: 'src/platform/migrations/1700000000103-endpoint-makers.ts',
    text: 'and go on as they are',
    reason: released,
  },
  { file: 'src/platform/migrations/1700000000010-webhooks.ts', text: 'what became of each', reason: released },
  { file: 'src/platform/migrations/1700000000110-rooms.ts', text: 'what became of it', reason: released },
  { file: 'src/platform/migrations/1700000000019-scale.ts', text: 'holds to the organization', reason: released },
  { file: 'src/platform/migrations/1700000000019-scale.ts', text: 'tells ids alone:', reason: released },
];

/** What is checked now. `--all` checks every text of `everything`, to show the remaining work. */
const sources = '{src/**,libs/**,clients/typescript/src}/*.{ts,tsx}';
const comments = { read: commentsIn, files: [sources, '{scripts,test,bench,faults,mutants}/**/*.{ts,mjs}'] };
const testNames = { read: testNamesIn, files: ['{test,mutants}/**/*.ts'] };
const areas = [
  { read: stringsIn, files: [sources] },
  comments,
  testNames,
  // docs/errors.md is generated from the strings in src.
  {
    read: proseIn,
    files: ['*.md', 'docs/!(errors).md', 'clients/**/*.md', 'src/**/*.md', 'test/acceptance/COVERAGE.md'],
  },
];
const everything = [
  { read: stringsIn, files: [sources] },
  comments,
  testNames,
  { read: proseIn, files: ['*.md', '{docs,src,clients}/**/*.md', 'test/acceptance/COVERAGE.md'] },
];

const [folder = '.'] = process.argv.slice(2).filter((argument) => argument !== '--all');
const checked = process.argv.includes('--all') ? everything : areas;
const unused = new Set(exceptions);
const faults = [];
for (const { files, read } of checked) {
  for (const path of globSync(files, { cwd: folder }).toSorted()) {
    for (const { line, text } of read(path, readFileSync(`${folder}/${path}`, 'utf8'))) faultsOf(path, line, text);
  }
}
if (folder === '.') {
  for (const { file, text } of unused) faults.push(`The exception for "${text}" in ${file} is not needed. Remove it.`);
}
if (faults.length > 0) {
  console.error(faults.join('\n'));
  process.exitCode = 1;
}

function faultsOf(path, line, text) {
  for (const [turn, instead] of turns) {
    const found = turn.exec(text);
    if (!found) continue;
    const exception = exceptions.find((one) => one.file === path && text.includes(one.text) && turn.test(one.text));
    unused.delete(exception);
    const around = text.slice(Math.max(0, found.index - 40), found.index + found[0].length + 40);
    if (!exception) faults.push(`${path}:${line}: "${around}": write ${instead}.`);
  }
}
