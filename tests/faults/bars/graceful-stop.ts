import { existsSync, statSync } from 'node:fs';
import type { BarOptions, BarResult } from '../bar.ts';
import { runAll } from '../stage/clients.ts';
import { percentile } from '../stage/measure.ts';
import { openStage } from '../stage/stage.ts';

const CLIENTS = 16;
const LOAD_MS_MIN = 50;
const LOAD_MS_MAX = 250;
const STOP_MS_MAX = 5_000;

/** SIGTERM under load, again and again: what was received is answered, what was answered is stored. */
export async function tryGracefulStops({ isLong, seed }: BarOptions): Promise<BarResult> {
  const cycles = isLong ? 20 : 3;
  const stage = await openStage({ seed });
  const faults: string[] = [];
  const stopsMs: number[] = [];
  /** A connection that was idle when it was closed loses a request that crosses the closing: sent again. */
  let crossed = 0;
  const clients = stage.createClients(CLIENTS, {
    observe: (answer) => {
      if (answer === undefined) crossed += 1;
    },
  });
  for (let cycle = 1; cycle <= cycles; cycle += 1) {
    const running = runAll(clients, stage.url(), () => false);
    await Bun.sleep(LOAD_MS_MIN + stage.random.below(LOAD_MS_MAX - LOAD_MS_MIN));
    const startedMs = performance.now();
    const code = await stage.service().stop();
    stopsMs.push(performance.now() - startedMs);
    await running;
    if (code !== 0) faults.push(`cycle ${cycle}: it ended with ${code}`);
    const log = `${stage.databasePath}-wal`;
    if (existsSync(log) && statSync(log).size > 0) faults.push(`cycle ${cycle}: the log was not taken in`);
    // What is stored and was not acknowledged: a request that was received, committed, and not answered.
    await stage.start();
    faults.push(...(await stage.audit()).map((fault) => `cycle ${cycle}: ${fault}`));
    const cut = stage.audit.storedWithoutAnswer();
    if (cut > 0) faults.push(`cycle ${cycle}: ${cut} events were stored and their sender never heard of it`);
  }
  faults.push(...(await stage.finish(clients)));
  const slowestMs = percentile(stopsMs, 1);
  if (isLong && slowestMs > STOP_MS_MAX) faults.push(`it took ${slowestMs.toFixed(0)} ms to stop`);
  return {
    figure: `${cycles} stops under load, ${stage.ledger.acknowledged.size} events acknowledged, none stored without its answer, ${crossed} requests refused a connection, stopped after ${slowestMs.toFixed(0)} ms at most, ${faults.length} faults`,
    faults,
  };
}
