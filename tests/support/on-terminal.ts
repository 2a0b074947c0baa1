import { PROGRAM } from './program.ts';

/** Runs `pagemeter …` on a terminal of its own. `type` gives it keys. */
export function runOnTerminal(environment: Record<string, string>, ...args: string[]) {
  let shown = '';
  const decoder = new TextDecoder();
  const child = Bun.spawn([...PROGRAM, ...args], {
    env: { PATH: process.env.PATH ?? '', TERM: 'xterm', ...environment },
    terminal: {
      cols: 100,
      rows: 20,
      data(_terminal, bytes) {
        shown += decoder.decode(bytes, { stream: true });
      },
    },
  });
  return {
    shown: () => shown,
    type: (keys: string) => child.terminal?.write(keys),
    async waitFor(text: string) {
      while (!shown.includes(text) && child.exitCode === null) await Bun.sleep(10);
    },
    exited: child.exited,
  };
}
