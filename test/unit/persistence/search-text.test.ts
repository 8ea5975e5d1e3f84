import { containing } from '../../../libs/persistence/search-text.js';

it.each([
  ['Müller', '%Müller%'],
  ['  Müller ', '%Müller%'],
  ['100 %_\\', '%100 \\%\\_\\\\%'],
  [' 10 ', '%10%'],
])('searches for "%s" as %s', (text, pattern) => {
  expect(containing(text)).toBe(pattern);
});
