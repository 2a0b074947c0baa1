/**
 * A client whose bodies are expensive to read: `bun hostile-bodies-attack.ts ATTACK`, an `Attack` as JSON. Prints for each
 * body how it was answered.
 */

export type Target = { method: string; path: string; token?: string };
export type Attack = {
  url: string;
  targets: Target[];
  /** Approximate size of each body. */
  bytes: number;
  trackingCode: string;
  /** Requests that are under way at the same time. */
  atOnce: number;
  /** Sent evenly over the time; 0: as fast as they are answered. */
  bytesPerS: number;
};
export type Sent = { name: string; status: number | string; tookMs: number };

const attack: Attack = JSON.parse(process.argv[2] ?? '');
const bodies = createBodies(attack);
const jobs = attack.targets.flatMap((target) => Object.keys(bodies).map((kind) => ({ target, kind })));
const sent: Sent[] = [];
const startedMs = performance.now();
let bytesSent = 0;
await Promise.all(Array.from({ length: attack.atOnce }, work));
console.log(JSON.stringify(sent));
process.exit(0);

async function work(): Promise<void> {
  for (let job = jobs.shift(); job; job = jobs.shift()) {
    const dueMs = attack.bytesPerS === 0 ? 0 : (bytesSent / attack.bytesPerS) * 1_000;
    bytesSent += attack.bytes;
    await Bun.sleep(Math.max(0, startedMs + dueMs - performance.now()));
    sent.push(await send(job.target, job.kind));
  }
}

async function send({ method, path, token }: Target, kind: string): Promise<Sent> {
  const sentMs = performance.now();
  const name = `${method} ${path} ${kind}`;
  const status = await fetch(`${attack.url}${path}`, {
    method,
    headers: {
      'Content-Type': 'application/json',
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
    },
    body: bodies[kind]?.() ?? '',
  }).then(
    async (response) => {
      await response.arrayBuffer();
      return response.status;
    },
    (error: Error) => `cut: ${error.message}`,
  );
  return { name, status, tookMs: performance.now() - sentMs };
}

/** Texts that take long to parse, to walk or to describe, in a field of their own and in those that routes read. */
function createBodies({ bytes, trackingCode }: Attack): Record<string, () => string> {
  const fill = (piece: string, end = '') => piece.repeat(Math.floor(bytes / piece.length)) + end;
  const list = (piece: string) => `[${fill(`${piece},`, piece)}]`;
  const members = () => {
    let text = '{"":0';
    for (let index = 0; text.length < bytes; index += 1) text += `,"${index.toString(36)}":0`;
    return `${text}}`;
  };
  const deepLists = '['.repeat(bytes / 2) + ']'.repeat(bytes / 2);
  const deepObjects = `${'{"a":'.repeat(bytes / 6)}0${'}'.repeat(bytes / 6)}`;
  const values: Record<string, () => string> = {
    zeros: () => list('0'),
    objects: () => list('{}'),
    texts: () => list('""'),
    numbers: () => list('1.2345678901234567e-300'),
    escapes: () => `"${fill('\\u0001')}"`,
    members,
    inherited: () => list('{"__proto__":{"toString":0}}'),
    'deep lists': () => deepLists,
    'deep objects': () => deepObjects,
    'an open list': () => fill('['),
  };
  const event = (properties: string, padding: string) =>
    `{"trackingCode":"${trackingCode}","eventType":"custom","url":"https://example.com/","sessionId":"s","visitorId":"v","properties":${properties},"padding":${padding}}`;
  const eventBytes = Math.min(bytes / 1_000, 60_000);
  const dense = `{${Array.from({ length: 99 }, (_, index) => `"k${index}":[${index},[],{}]`).join(',')}}`;
  const events = (one: string) =>
    `{"events":[${new Array(Math.max(1, Math.floor(bytes / (one.length + 1)))).fill(one)}]}`;
  const made: Record<string, () => string> = {
    'dense events': () => events(event(dense, `"${'x'.repeat(Math.max(0, eventBytes - 2_000))}"`)),
    'events of zeros': () => events(event('{}', `[${new Array(25_000).fill(0)}]`)),
    'events of members': () =>
      events(event(`{${Array.from({ length: 5_000 }, (_, index) => `"k${index}":0`)}}`, '0')),
    'wrong events': () => events(`{${Array.from({ length: 5_000 }, (_, index) => `"k${index}":null`)}}`),
  };
  for (const [kind, make] of Object.entries(values)) {
    made[kind] = () => `{"email":${make()},"name":{"toString":0},"password":"x"}`;
    made[`events: ${kind}`] = () => `{"events":${make()}}`;
  }
  made['nothing but zeros'] = () => list('0');
  return made;
}
