/** Progress of a step. `total` undefined: the amount of work is unknown. */
export type Progress = {
  name: string;
  unit: 'bytes' | 'events';
  done: number;
  total: number | undefined;
  elapsedMs: number;
};

const BAR_WIDTH = 24;
const MIB = 1024 * 1024;

/** `copying  [######------------------]  25 %  120 MiB/s  6 s left` */
export function toBar(progress: Progress): string {
  const share = shareOf(progress);
  if (share === undefined) return `${progress.name}  ${toDuration(progress.elapsedMs)}`;
  const filled = Math.round(share * BAR_WIDTH);
  const bar = `${'#'.repeat(filled)}${'-'.repeat(BAR_WIDTH - filled)}`;
  return `${progress.name}  [${bar}]  ${[toPercent(share), ...toRate(progress)].join('  ')}`;
}

/** Formats the progress as a line of a log. */
export function toLine(progress: Progress): string {
  const share = shareOf(progress);
  const parts =
    share === undefined ? [toDuration(progress.elapsedMs)] : [toPercent(share), ...toRate(progress)];
  return `${progress.name}: ${parts.join(', ')}`;
}

/** Returns the finished share, below 1 until the step ends: the number of bytes is an estimate. */
function shareOf({ done, total }: Progress): number | undefined {
  return total === undefined || total === 0 ? undefined : Math.min(done / total, 0.99);
}

function toPercent(share: number): string {
  return `${Math.floor(share * 100)} %`;
}

function toRate({ unit, done, total = 0, elapsedMs }: Progress): string[] {
  if (done === 0 || elapsedMs === 0) return [];
  const aSecond = (done * 1_000) / elapsedMs;
  const rate = unit === 'bytes' ? `${(aSecond / MIB).toFixed(1)} MiB/s` : `${Math.round(aSecond)} events/s`;
  return [rate, `${toDuration((Math.max(0, total - done) * 1_000) / aSecond)} left`];
}

function toDuration(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  return seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}
