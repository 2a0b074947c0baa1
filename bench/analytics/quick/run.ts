import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLocalDatabase } from '../../../src/db/local-database.ts';
import { toMiB } from '../../measured-process.ts';
import { mebibytes, milliseconds, perSecond } from '../../report.ts';
import { median } from '../../statistics.ts';
import type { Latencies, Part, PartFigures } from './process.ts';

export type QuickFigure = { name: string; value: number; least?: number; format: (value: number) => string };

/** A million events and every kind of question, on the engine itself: no HTTP, no DuckDB, about a minute. */
export async function measureQuickly({
  events,
  rounds,
}: {
  events: number;
  rounds: number;
}): Promise<QuickFigure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'pagemeter-quick-'));
  const file = join(folder, 'events.db');
  try {
    const loaded = await runPart('load', file, events);
    const logBytes = usedBytes(file);
    const derived = await runPart('derive', file, 30);
    const derivedBytes = usedBytes(file) - logBytes;
    const firstMonth = await runPart('first', file, 30);
    const firstQuarter = await runPart('first', file, 90);
    const asked = await runPart('rounds', file, rounds);
    const concurrent = await runPart('concurrent', file, 0);
    return [
      rate('events stored a second', events, loaded),
      rate('events derived a second, until the first answer', events, derived),
      { name: 'bytes an event, the log', value: logBytes / events, format: oneDecimal },
      { name: 'bytes an event, what is derived', value: derivedBytes / events, format: oneDecimal },
      latency('first answer of a process, 30 days', firstMonth.latencies[0]),
      latency('first answer of a process, 90 days', firstQuarter.latencies[0]),
      ...asked.latencies.map((one) => latency(one.name, one)),
      latency('ten panels, 30 days, with 2,000 events/s', concurrent.latencies[0]),
      slowest('the slowest of these', concurrent.latencies[0]),
      memory('memory at most, deriving', derived),
      memory('memory at most, all questions', asked),
      memory('memory at most, with 2,000 events/s', concurrent),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function runPart(part: Part, file: string, number: number): Promise<PartFigures> {
  const program = join(import.meta.dir, 'process.ts');
  const child = Bun.spawn(['bun', program, part, file, String(number)], { stderr: 'inherit' });
  const printed = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error(`The part "${part}" of the bench failed.`);
  return JSON.parse(printed); // as process.ts prints it
}

/** Bytes of the file, without its free pages. */
function usedBytes(file: string): number {
  const database = openLocalDatabase(file, 'normal');
  const read = (name: string) => {
    const row = database.prepare(`SELECT ${name} AS value FROM pragma_${name}`).get([]);
    return (row as { value: number }).value; // the column of the statement
  };
  const bytes = (read('page_count') - read('freelist_count')) * read('page_size');
  database.close();
  return bytes;
}

function rate(name: string, events: number, { latencies }: PartFigures): QuickFigure {
  return { name, value: (events * 1_000) / sum(latencies[0]?.tookMs ?? []), format: perSecond };
}

function latency(name: string, latencies: Latencies | undefined): QuickFigure {
  const tookMs = latencies?.tookMs ?? [];
  return { name, value: median(tookMs), least: Math.min(...tookMs), format: milliseconds };
}

function slowest(name: string, latencies: Latencies | undefined): QuickFigure {
  return { name, value: Math.max(...(latencies?.tookMs ?? [])), format: milliseconds };
}

function memory(name: string, { peakBytes }: PartFigures): QuickFigure {
  return { name, value: toMiB(peakBytes), format: mebibytes };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function oneDecimal(value: number): string {
  return value.toFixed(1);
}
