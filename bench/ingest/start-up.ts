import { createDataDir, startProcess } from '../../tests/support/process.ts';
import { toMiB } from '../measured-process.ts';
import { median } from '../statistics.ts';
import { runLoad } from './run-load.ts';
import { startServer } from './servers.ts';

const STARTS = 10;
const SETTLE_MS = 2_000;

/** From the start of the process, from source, to the first answer. The database is there already. */
export async function measureStart(): Promise<number> {
  const directory = createDataDir();
  const environment = { DATA_DIR: directory.path };
  const durationsMs: number[] = [];
  for (let start = 0; start <= STARTS; start += 1) {
    const startedAtMs = performance.now();
    const service = await startProcess(environment);
    await fetch(`${service.url}/api/ping`);
    if (start > 0) durationsMs.push(performance.now() - startedAtMs); // the first one creates the database
    await service.stop();
  }
  directory.remove();
  return median(durationsMs);
}

/** Resident memory of the service that has nothing to do: after its start, and after its first requests. */
export async function measureMemory(): Promise<{ atStartMiB: number; afterRequestsMiB: number }> {
  const service = await startServer('src/main.ts', {});
  await Bun.sleep(SETTLE_MS);
  const atStartMiB = toMiB(service.rssBytes());
  for (let request = 0; request < 100; request += 1) await fetch(`${service.url}/api/ping`);
  await runLoad(service, { eventsARequest: 1, connections: 1, measureMs: 50 });
  await Bun.sleep(SETTLE_MS);
  const afterRequestsMiB = toMiB(service.rssBytes());
  await service.remove();
  return { atStartMiB, afterRequestsMiB };
}
