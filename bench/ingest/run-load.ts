import { join } from 'node:path';
import type { LoadOptions, LoadResult } from './load.ts';
import type { Server } from './servers.ts';

export type Load = Pick<LoadOptions, 'eventsARequest' | 'measureMs' | 'connections' | 'requestsPerS'>;

/** One measurement of one server. */
export type Sample = {
  requestsPerS: number;
  eventsPerS: number;
  p50Ms: number;
  p99Ms: number;
  cpuUsPerEvent: number;
};

/** The driven server, as a load sees it. */
export type LoadedServer = Pick<Server, 'url' | 'trackingCode' | 'cpuMs' | 'errors'>;

const WARM_UP_MS = 300;
let runs = 0;

/** Drives a server from a process of its own. @throws Error when a request was not answered with 201 */
export async function runLoad(server: LoadedServer, load: Load): Promise<Sample> {
  runs += 1;
  const options: LoadOptions = {
    ...load,
    port: Number(new URL(server.url).port),
    trackingCode: server.trackingCode,
    warmUpMs: WARM_UP_MS,
    seed: runs,
  };
  const cpuBeforeMs = server.cpuMs();
  const generator = Bun.spawn([process.execPath, join(import.meta.dir, 'load.ts'), JSON.stringify(options)], {
    stdout: 'pipe',
    stderr: 'inherit',
  });
  const text = await new Response(generator.stdout).text();
  if ((await generator.exited) !== 0) throw new Error(`The load generator failed. ${server.errors()}`);
  const result: LoadResult = JSON.parse(text);
  if (result.failures > 0) throw new Error(`${result.failures} requests were refused. ${server.errors()}`);
  const events = result.requestsInAll * load.eventsARequest;
  return {
    requestsPerS: result.requests / result.seconds,
    eventsPerS: (result.requests * load.eventsARequest) / result.seconds,
    p50Ms: result.p50Ms,
    p99Ms: result.p99Ms,
    cpuUsPerEvent: ((server.cpuMs() - cpuBeforeMs) * 1_000) / events,
  };
}
