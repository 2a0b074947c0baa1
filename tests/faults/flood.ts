export {};

/**
 * A client that asks too much: `bun flood.ts URL BODY REQUESTS_PER_S SECONDS [HEADER VALUE ADDRESSES]`. A `*` in the body
 * stands for the number of the request, in the value for one of so many (250). Prints the answers as JSON.
 */

const [url = '', body = '', rate = '1', seconds = '1', header = '', value = '', addresses = '250'] =
  process.argv.slice(2);
const TICK_MS = 10;
const AT_ONCE_MAX = 400;

const answers: Record<string, number> = {};
let inFlight = 0;
let sent = 0;
const startedMs = performance.now();
const endMs = startedMs + Number(seconds) * 1_000;
while (performance.now() < endMs) {
  const due = ((performance.now() - startedMs) / 1_000) * Number(rate);
  while (sent < due && inFlight < AT_ONCE_MAX) void send();
  await Bun.sleep(TICK_MS);
}
while (inFlight > 0) await Bun.sleep(TICK_MS);
console.log(JSON.stringify(answers));
process.exit(0);

/** Counts the answer by its status, whether it says when to come back, and whether it is JSON. */
async function send(): Promise<void> {
  sent += 1;
  inFlight += 1;
  const number = sent;
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        ...(header !== '' && { [header]: value.replace('*', String(number % Number(addresses))) }),
      },
      body: body.replace('*', String(number)),
    });
    const isJson = (await response.text()).startsWith('{');
    const name = `${response.status}${response.headers.has('retry-after') ? ' later' : ''}${isJson ? '' : ' bare'}`;
    answers[name] = (answers[name] ?? 0) + 1;
  } catch {
    answers.cut = (answers.cut ?? 0) + 1;
  }
  inFlight -= 1;
}
