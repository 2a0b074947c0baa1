import { readFileSync } from 'node:fs';
import type { ServiceProcess } from '../tests/support/process.ts';

/** A process, and what the kernel counts of it with all of its threads. */
export type MeasuredProcess = ServiceProcess & {
  /** Processor time that it has used. */
  cpuMs(): number;
  rssBytes(): number;
  /** The most that was resident since its start. */
  peakRssBytes(): number;
};

const MS_A_TICK = 10; // Linux counts a process's time in hundredths of a second (USER_HZ)
const MIB = 1024 * 1024;

export function measureProcess(started: ServiceProcess): MeasuredProcess {
  const { pid } = started.process;
  return {
    ...started,
    cpuMs: () => {
      const fields = readProc(pid, 'stat').split(') ')[1]?.split(' ') ?? [];
      return (Number(fields[11]) + Number(fields[12])) * MS_A_TICK; // utime and stime
    },
    rssBytes: () => readStatus(pid, 'VmRSS'),
    peakRssBytes: () => readStatus(pid, 'VmHWM'),
  };
}

export function toMiB(sizeBytes: number): number {
  return sizeBytes / MIB;
}

function readStatus(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  return Number(readProc(pid, 'status').match(new RegExp(`${field}:\\s+(\\d+) kB`))?.[1]) * 1024;
}

function readProc(pid: number, name: string): string {
  return readFileSync(`/proc/${pid}/${name}`, 'utf8');
}
