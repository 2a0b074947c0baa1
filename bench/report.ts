import { cpus, release } from 'node:os';
import { version } from '../package.json';

export type Figure = {
  name: string;
  value: string;
  target?: string;
  isMet?: boolean;
};

export function figure(name: string, value: string): Figure {
  return { name, value };
}

/** A figure that is to be at least, or at most, the target. */
export function targeted(
  name: string,
  value: number,
  bound: 'at least' | 'at most',
  target: number,
  format: (value: number) => string,
): Figure {
  const isMet = bound === 'at least' ? value >= target : value <= target;
  return { name, value: format(value), target: `${bound} ${format(target)}`, isMet };
}

export function printTable(figures: readonly Figure[]): void {
  const rows = figures.map(({ name, value, target = '', isMet }) => [
    name,
    value,
    target,
    isMet === undefined ? '' : isMet ? 'met' : 'NOT MET',
  ]);
  const table = [['figure', 'value', 'target', ''], ...rows];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  for (const row of table)
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
}

export async function printMachine(command: string): Promise<void> {
  const commit = await Bun.$`git rev-parse --short HEAD`.nothrow().quiet().text();
  const processors = cpus();
  console.log(`${new Date().toISOString()}  ${command}`);
  console.log(
    `Pagemeter ${version} (${commit.trim() || 'no commit'}), Bun ${Bun.version}, Linux ${release()}, ` +
      `${processors.length} x ${processors[0]?.model}\n`,
  );
}

export const perSecond = (value: number) => `${Math.round(value).toLocaleString('en-US')}/s`;
export const percent = (value: number) => `${Math.round(value * 100)} %`;
export const times = (value: number) => `${value.toFixed(1)} x`;
export const milliseconds = (value: number) => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
export const microseconds = (value: number) => `${value.toFixed(1)} µs`;
export const mebibytes = (value: number) => `${value.toFixed(0)} MiB`;
export const bytes = (value: number) => `${value.toLocaleString('en-US')} bytes`;
