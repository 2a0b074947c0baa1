import { toMiB } from '../measured-process.ts';
import * as report from '../report.ts';
import type { Answered, Group } from './ask.ts';
import type { Concurrent } from './concurrent.ts';
import type { Loaded } from './load.ts';
import type { Sizes } from './sizes.ts';

/** Figures and their targets. They hold for ten million events; those of questions are in questions.ts. */
const TARGET = {
  duckdbRatio: 4,
  bytesAnEvent: 250,
  peakMiB: 256,
  peakTogetherMiB: 320,
  ingestShare: 0.9,
  ingestP99Ms: 25,
};
const P99_CONCURRENT = '  p99 with questions';
const { figure, targeted, milliseconds, times } = report;

export function describeLoad({ figures }: Loaded): report.Figure[] {
  return [
    figure('events a second', report.perSecond(figures.eventsPerS)),
    figure('processor time an event meanwhile', report.microseconds(figures.cpuUsPerEvent)),
    describeMemoryTogether('memory at most, after loading', figures.afterLoadBytes),
    figure('statistics have caught up after', `${figures.caughtUpS.toFixed(1)} s`),
    describeMemoryTogether('memory at most, after catching up', figures.afterCatchUpBytes),
  ];
}

export function describeSizes({ fileBytes, parts }: Sizes, events: number): report.Figure[] {
  const decimal = (value: number) => value.toFixed(1);
  return [
    targeted('all told', fileBytes / events, 'at most', TARGET.bytesAnEvent, decimal),
    ...parts.map(({ name, bytes }) => figure(name, decimal(bytes / events))),
  ];
}

export function describeGroup({ answers, firstMs, peakBytes }: Group): report.Figure[] {
  return [
    figure('the first answer after the start', milliseconds(firstMs)),
    ...answers.flatMap(describeAnswer),
    describeMemory('memory at most', peakBytes),
  ];
}

function describeAnswer({
  name,
  targetMs,
  hasRatioTarget,
  medianMs,
  p95Ms,
  duckdb,
}: Answered): report.Figure[] {
  const isTargeted = targetMs !== undefined;
  const took = `${milliseconds(medianMs)}, p95 ${milliseconds(p95Ms)}`;
  const own = isTargeted
    ? { ...targeted(name, medianMs, 'at most', targetMs, milliseconds), value: took }
    : figure(name, took);
  if (!duckdb) return [own];
  const { ratio, faults } = duckdb;
  const multiple = '  times as fast as DuckDB';
  const value = `${times(ratio)}, DuckDB ${milliseconds(duckdb.medianMs)}`;
  return [
    own,
    isTargeted && hasRatioTarget
      ? { ...targeted(multiple, ratio, 'at least', TARGET.duckdbRatio, times), value }
      : figure(multiple, value),
    { name: '  the same answer', value: faults[0] ?? 'yes', target: 'yes', isMet: faults.length === 0 },
  ];
}

export function describeConcurrent({ loads }: Concurrent): report.Figure[] {
  return [
    ...loads.flatMap(({ name, isP99Targeted, share, alone, concurrent, answerMs, peakBytes }) => [
      figure(name, `${report.perSecond(alone.eventsPerS)}, p99 ${milliseconds(alone.p99Ms)}`),
      figure('  with questions', report.perSecond(concurrent.eventsPerS)),
      targeted('  as a part of without', share, 'at least', TARGET.ingestShare, report.percent),
      isP99Targeted
        ? targeted(P99_CONCURRENT, concurrent.p99Ms, 'at most', TARGET.ingestP99Ms, milliseconds)
        : figure(P99_CONCURRENT, milliseconds(concurrent.p99Ms)),
      figure('  the answers meanwhile', milliseconds(answerMs)),
      describeMemoryTogether('  memory at most, up to here', peakBytes),
    ]),
  ];
}

function describeMemory(name: string, sizeBytes: number): report.Figure {
  return targeted(name, toMiB(sizeBytes), 'at most', TARGET.peakMiB, report.mebibytes);
}

/** Memory of a process that does everything in sequence. */
export function describeMemoryTogether(name: string, sizeBytes: number): report.Figure {
  return targeted(name, toMiB(sizeBytes), 'at most', TARGET.peakTogetherMiB, report.mebibytes);
}
