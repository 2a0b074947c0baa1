import type { Random } from '../../../src/demo/random.ts';
import { eventFor } from '../../support/event.ts';
import type { BarOptions, BarResult } from '../bar.ts';
import { openStage, type Stage } from '../stage/stage.ts';

const SENDINGS_MAX = 5;
const BATCH_MAX = 50;
const IMPATIENT_SHARE = 0.05;
const PATIENCE_MS_MAX = 5;
const KILLS = 2;
const SENDERS = 8;

/** Each event is sent one to five times, in other company each time, over kills and senders that do not wait. */
export async function tryExactlyOnce({ isLong, seed }: BarOptions): Promise<BarResult> {
  const count = isLong ? 10_000 : 2_000;
  const stage = await openStage({ seed });
  const { ledger, random } = stage;
  const events = Array.from({ length: count }, () => ledger.create());
  const sendings = shuffled(
    random,
    events.flatMap((event) => Array.from({ length: 1 + random.below(SENDINGS_MAX) }, () => event)),
  );
  const batches = toBatches(random, sendings);
  const total = batches.length;
  const killAt = Array.from({ length: KILLS }, (_, kill) => Math.floor((total * (kill + 1)) / (KILLS + 1)));
  const faults: string[] = [];
  let unanswered = 0;

  let upAgain = Promise.resolve();
  async function sendAll(): Promise<void> {
    for (;;) {
      await upAgain;
      const batch = batches.shift();
      if (!batch) return;
      if (total - batches.length === killAt[0]) {
        killAt.shift();
        upAgain = stage.kill().then(() => stage.start());
      }
      const isImpatient = random.chance(IMPATIENT_SHARE);
      const ids = batch.map(({ id }) => id);
      const answered = await send(stage, batch, isImpatient ? random.below(PATIENCE_MS_MAX) : undefined);
      if (answered === undefined) {
        unanswered += 1;
        batches.push(batch); // once more, at the end
      } else {
        if (JSON.stringify(answered) !== JSON.stringify(ids))
          faults.push(`a batch was answered with ${answered}`);
        ledger.acknowledge(batch);
      }
    }
  }
  await Promise.all(Array.from({ length: SENDERS }, sendAll));
  const { body } = await stage.call(
    'GET',
    `/events?trackingCode=${stage.website.trackingCode}&limit=1`,
    stage,
  );
  if (body.pagination.total !== count)
    faults.push(`${body.pagination.total} events are listed, not ${count}`);
  faults.push(...(await stage.finish()));
  return {
    figure: `${count} events in ${sendings.length} sendings, ${unanswered} of ${total} requests unanswered and repeated, ${KILLS} kills: ${body.pagination.total} rows, ${faults.length} faults`,
    faults,
  };
}

/** The ids that were answered; undefined when there was no answer. Every other answer is 201. */
async function send(
  stage: Stage,
  batch: readonly { id: string; url: string }[],
  patienceMs: number | undefined,
): Promise<string[] | undefined> {
  const events = batch.map(({ id, url }) => eventFor(stage.website.trackingCode, { id, url }));
  try {
    const response = await fetch(`${stage.url()}/api/v1/events/batch`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ events }),
      ...(patienceMs !== undefined && { signal: AbortSignal.timeout(patienceMs) }),
    });
    const answer = (await response.json()) as { events: { id: string }[] }; // of a 201
    return response.status === 201 ? answer.events.map(({ id }) => id) : [`status ${response.status}`];
  } catch {
    return undefined;
  }
}

/** Splits into batches; one batch may hold an event twice. */
function toBatches<Item>(random: Random, items: readonly Item[]): Item[][] {
  const batches: Item[][] = [];
  for (let index = 0; index < items.length; ) {
    const size = 1 + random.below(BATCH_MAX);
    batches.push(items.slice(index, index + size));
    index += size;
  }
  return batches;
}

function shuffled<Item>(random: Random, items: Item[]): Item[] {
  for (let index = items.length - 1; index > 0; index -= 1) {
    const other = random.below(index + 1);
    [items[index], items[other]] = [items[other] as Item, items[index] as Item]; // both are within
  }
  return items;
}
