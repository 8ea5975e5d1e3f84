import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

type Json = Record<string, unknown>;

/** What a request to the map contained. */
export interface MapRequest {
  path: string;
  query: URLSearchParams;
  userAgent?: string;
  /** By performance.now(). */
  at: number;
}

/** Map data on loopback, which OUTBOUND_ALLOW must allow: a Nominatim and an Overpass in one. */
export interface MapServer {
  /** For NOMINATIM_URL, OVERPASS_URL and OUTBOUND_ALLOW. */
  env: Record<'NOMINATIM_URL' | 'OVERPASS_URL' | 'OUTBOUND_ALLOW', string>;
  asked: MapRequest[];
  /** What Nominatim finds by name and at coordinates; undefined is nothing. */
  found?: Json;
  /** What Overpass returns there. */
  elements: Json[];
  /** Statuses other than 200, by path. */
  failing: Record<string, number>;
  close(): Promise<void>;
}

export const cafe = {
  osm_type: 'node',
  osm_id: 240109189,
  lat: '38.6975',
  lon: '-9.2033',
  category: 'amenity',
  type: 'cafe',
  name: 'Pastéis de Belém',
  display_name: 'Pastéis de Belém, 84, Rua de Belém, 1300-085 Lisboa, Portugal',
  extratags: { phone: '+351 21 363 7423', opening_hours: 'Mo-Su 08:00-22:00' },
};

export const cafeElement = {
  type: 'node',
  id: 240109189,
  lat: 38.6975,
  lon: -9.2033,
  tags: { name: 'Pastéis de Belém', amenity: 'cafe', website: 'https://pasteisdebelem.pt/', phone: '+351 21 363 7423' },
};

export async function startMapServer(): Promise<MapServer> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { pathname: path, searchParams } = new URL(request.url ?? '/', 'http://map.invalid');
      const query = request.method === 'POST' ? new URLSearchParams(Buffer.concat(chunks).toString()) : searchParams;
      map.asked.push({ path, query, userAgent: request.headers['user-agent'], at: performance.now() });
      const body = answerTo(path, map);
      response.writeHead(map.failing[path] ?? 200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const map: MapServer = {
    env: { NOMINATIM_URL: url, OVERPASS_URL: `${url}/api/interpreter`, OUTBOUND_ALLOW: '127.0.0.1' },
    asked: [],
    found: cafe,
    elements: [cafeElement],
    failing: {},
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return map;
}

function answerTo(path: string, { found, elements }: MapServer): unknown {
  if (path === '/search') return found ? [found] : [];
  if (path === '/reverse') return found ?? { error: 'Unable to geocode' };
  return path === '/api/interpreter' ? { version: 0.6, elements } : {};
}
