import { randomBytes } from 'node:crypto';

/**
 * Sends events whose every property is invented: `bun properties-attack.ts URL SECONDS SENDERS ADDRESSES CODE…`. Each
 * sender goes from one of the tracking codes and addresses to the next. Prints how often each status was answered.
 */

const [url = '', seconds = '1', senders = '1', addresses = '1', ...codes] = process.argv.slice(2);
const PROPERTIES = 90;
const BATCH = 50;
const PAUSE_MS = 20;

const answers: Record<string, number> = {};
const endMs = performance.now() + Number(seconds) * 1_000;
let sent = 0;
await Promise.all(Array.from({ length: Number(senders) }, send));
console.log(JSON.stringify(answers));

async function send(): Promise<void> {
  while (performance.now() < endMs) {
    sent += 1;
    const number = sent;
    const events = Array.from({ length: BATCH }, () => invent(codes[number % codes.length] ?? ''));
    const response = await fetch(`${url}/api/v1/events/batch`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'X-Forwarded-For': `198.51.100.${number % Number(addresses)}`,
      },
      body: JSON.stringify({ events }),
    });
    await response.arrayBuffer();
    answers[response.status] = (answers[response.status] ?? 0) + 1;
    if (response.status !== 201) await Bun.sleep(PAUSE_MS);
  }
}

function invent(trackingCode: string): object {
  const text = (bytes: number) => randomBytes(bytes).toString('base64url');
  const properties = Array.from({ length: PROPERTIES }, () => [text(6), text(20)]);
  return {
    trackingCode,
    eventType: 'custom',
    url: 'https://example.com/',
    visitorId: text(9),
    sessionId: text(9),
    properties: Object.fromEntries(properties),
  };
}
