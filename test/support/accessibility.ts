import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';
import { isLong } from './sampled.js';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface View {
  width: number;
  colorScheme: 'light' | 'dark';
}

const views: readonly View[] = [
  { width: 320, colorScheme: 'light' },
  { width: 320, colorScheme: 'dark' },
  { width: 900, colorScheme: 'light' },
  { width: 900, colorScheme: 'dark' },
];
let looks = 0;

/**
 * The violations of WCAG 2.2 AA that axe-core finds, at both widths and in both color schemes, of which `npm test` uses
 * one for each page in turn; undecided results count too, and so does a page that is wider than its window. With
 * SCREENSHOTS set, a picture of each is saved in that folder.
 */
export async function accessibilityIssues(page: Page, name: string, from: readonly View[] = views): Promise<string[]> {
  const complaints: string[] = [];
  const found = page.viewportSize();
  const shown = isLong || process.env.SCREENSHOTS ? from : [from[looks % from.length] as View];
  looks += 1;
  await page.evaluate(source);
  for (const { width, colorScheme } of shown) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    const results = await page.evaluate(async () => {
      const { axe: loaded } = globalThis as unknown as { axe: typeof axe };
      return await loaded.run(document, {
        runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
        resultTypes: ['violations', 'incomplete'],
      });
    });
    const describe = ({ id, nodes }: axe.Result) => `${name} ${width} ${colorScheme}: ${id} at ${nodes[0]?.html}`;
    complaints.push(...[...results.violations, ...results.incomplete].map(describe));
    const isTooWide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
    if (isTooWide) complaints.push(`${name} ${width}: wider than the window`);
    if (process.env.SCREENSHOTS) {
      await page.screenshot({ path: `${process.env.SCREENSHOTS}/${name}-${width}-${colorScheme}.png`, fullPage: true });
    }
  }
  if (found) await page.setViewportSize(found);
  return complaints;
}
