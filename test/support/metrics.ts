/** The series of /metrics: a name without its prefix, and its labels. */
export async function metricsAt(port: number): Promise<Record<string, number>> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return Object.fromEntries(
    lines.map((line) => {
      const end = line.lastIndexOf(' ');
      return [line.slice(0, end).replace('property_operations_', ''), Number(line.slice(end + 1))];
    }),
  );
}

export const series = (name: string, labels: Record<string, string>): string =>
  `${name}{${Object.entries(labels)
    .map(([label, value]) => `${label}="${value}"`)
    .join()}}`;
