import { h } from 'preact';
import { renderToStaticMarkup } from 'preact-render-to-string';
import { targetOf } from '../../../src/doors/reference/guides.js';
import { markdown } from '../../../src/doors/reference/markdown.js';

const html = (text: string): string => renderToStaticMarkup(h('div', {}, markdown(text, targetOf))).slice(5, -6);

it.each([
  ['## Start, *then* `go`', '<h2 id="start-then-go">Start, *then* <code>go</code></h2>'],
  ['one\ntwo\n\nthree', '<p>one\ntwo</p><p>three</p>'],
  ['- a\n  b\n- **c**\n\nd', '<ul><li>a\n  b</li><li><strong>c</strong></li></ul><p>d</p>'],
  ['1. a\n2. _b_', '<ol><li>a</li><li><em>b</em></li></ol>'],
  ['```sh\n# no heading\n- no item\n```\nafter', '<pre># no heading\n- no item</pre><p>after</p>'],
  ['```sh\nnever ends', '<pre>never ends</pre>'],
  [
    '| A | B |\n| - | - |\n| `CODE_X` | a \\| b<br>c |',
    '<table><tr><th>A</th><th>B</th></tr><tr id="CODE_X"><td><code>CODE_X</code></td><td>a | b<br/>c</td></tr></table>',
  ],
  ['<!-- hidden -->\n<script>alert(1)</script>', '<p>&lt;script>alert(1)&lt;/script></p>'],
  [
    '[a](limits.md#b), [b](https://x.example), [c](#d)',
    '<p><a href="/docs/guides/limits#b">a</a>, <a href="https://x.example">b</a>, <a href="#d">c</a></p>',
  ],
  ['[a](../src/x.ts) [b](javascript:alert) ![c](images/c.png)', '<p>a b c</p>'],
  ['a_b_c `x_y_z`', '<p>a_b_c <code>x_y_z</code></p>'],
])('%j', (text, expected) => {
  expect(html(text)).toBe(expected);
});
