import type { Line } from './line.js';

const [width, height, gap, labels] = [640, 56, 18, 230];

/** One row for each line, each scaled to its own maximum, so that a slope is visible whatever its unit. */
export function chartOf(lines: readonly Line[]): string {
  const rows = lines.map(({ name, values }, index) => {
    const top = index * (height + gap);
    const most = Math.max(1, ...values);
    const points = values.map((value, at) => {
      const x = labels + (at / Math.max(1, values.length - 1)) * (width - labels);
      return `${x.toFixed(1)},${(top + height - (value / most) * height).toFixed(1)}`;
    });
    return `<text x="0" y="${top + 24}">${name}</text><text x="0" y="${top + 42}" class="to">0 … ${most}</text>
<path d="M${labels} ${top + height}H${width}" class="floor"/><polyline points="${points.join(' ')}"/>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 -4 ${width} ${lines.length * (height + gap)}" role="img">
<title>Six days of a hotel: memory, files, connections and queues</title>
<style>text{font:13px system-ui,sans-serif;fill:#334}.to{fill:#667}.floor{stroke:#ccd}polyline{fill:none;stroke:#0a6;stroke-width:1.5}</style>
<rect width="100%" height="100%" y="-4" fill="#fff"/>
${rows.join('\n')}
</svg>
`;
}
