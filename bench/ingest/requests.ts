import { createRandom, type Random } from '../../src/demo/random.ts';
import { generateTraffic } from '../../src/demo/traffic.ts';
import { type TrafficEvent, toEventInput } from '../../src/demo/traffic-event.ts';
import { toUuidV7 } from '../../src/demo/uuid.ts';

/** One HTTP request as it goes over the wire, and where the ids and times of its events are. */
type Prepared = { bytes: Buffer; places: { id: number; timestamp: number }[] };

const REQUESTS = 4_096;
/** The tracker keeps an event for so long at most before it sends it. */
const AGE_MS_MAX = 5_000;
const AGENTS = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
];

/**
 * Requests as the tracker sends them, made ahead and sent in turn. Ids and times are rewritten each time: no event
 * is a repeat, and both grow, so that the indexes grow at their ends as they do in earnest.
 */
export function createRequestSource(
  trackingCode: string,
  eventsARequest: number,
  seed: number,
): () => Uint8Array {
  const random = createRandom(seed);
  const events = [
    ...generateTraffic({
      seed,
      websites: [{ domain: 'example.com', share: 1 }],
      days: 1,
      events: REQUESTS * eventsARequest,
      endMs: Date.now(),
    }),
  ];
  const requests = Array.from({ length: REQUESTS }, (_, index) => {
    const own = events.slice(index * eventsARequest, (index + 1) * eventsARequest);
    return prepare(own, trackingCode, AGENTS[index % AGENTS.length] ?? '');
  });
  let sent = 0;
  return () => {
    // The index is below the length.
    const request = requests[sent % REQUESTS] as Prepared;
    sent += 1;
    renew(request, random);
    return request.bytes;
  };
}

function prepare(events: readonly TrafficEvent[], trackingCode: string, agent: string): Prepared {
  const inputs = events.map((event) => toTrackerEvent(event, trackingCode));
  const isBatch = inputs.length > 1;
  const body = JSON.stringify(isBatch ? { events: inputs } : inputs[0]);
  const bytes = Buffer.from(
    `POST /api/v1/events${isBatch ? '/batch' : ''} HTTP/1.1\r\n` +
      'Host: meter.example.com\r\n' + // a program on this machine would have no limits
      `User-Agent: ${agent}\r\n` +
      'Accept: */*\r\nAccept-Language: en-GB,en;q=0.8\r\nAccept-Encoding: gzip, deflate, br, zstd\r\n' +
      'Origin: https://example.com\r\nReferer: https://example.com/\r\n' +
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  const places = events.map(({ id, createdAtMs }) => {
    const idOffset = bytes.indexOf(id);
    return { id: idOffset, timestamp: bytes.indexOf(`"timestamp":${createdAtMs}`, idOffset) + 12 };
  });
  return { bytes, places };
}

/** The tracker leaves browser, operating system and country to the service. */
function toTrackerEvent(event: TrafficEvent, trackingCode: string) {
  const { browser, os, location, ...sent } = toEventInput(event, trackingCode);
  return sent;
}

function renew({ bytes, places }: Prepared, random: Random): void {
  const nowMs = Date.now();
  for (const { id, timestamp } of places) {
    bytes.write(toUuidV7(nowMs, random.word(), random.word(), random.word()), id, 'latin1');
    bytes.write(String(nowMs - random.below(AGE_MS_MAX)), timestamp, 'latin1');
  }
}
