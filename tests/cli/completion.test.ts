import { expect, test } from 'bun:test';
import { runCommand } from '../support/command.ts';

type Shell = 'bash' | 'zsh';

/** Code around the script: the words of a line, and a way to see what is offered. */
const AROUND: Record<Shell, (script: string) => string> = {
  bash: (script) => `${script}
    COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _pagemeter; printf '%s\\n' "\${COMPREPLY[@]}"`,
  // Its own commands for completion work on a terminal alone.
  zsh: (script) => `compdef() {}; _files() {}
    compadd() { local word; for word in "\${@:2}"; do [[ $word == $words[CURRENT]* ]] && print -r -- $word; done }
    ${script}
    words=("$@"); CURRENT=$#; _pagemeter`,
};

/** Completions of a shell for a line that ends where the cursor is. */
async function complete(shell: Shell, line: string): Promise<string[]> {
  const { out: script } = await runCommand({}, 'completion', shell);
  const child = Bun.spawn([shell, '-c', AROUND[shell](script), shell, ...line.split(' ')], {
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  expect(err).toBe('');
  return out.split('\n').filter((word) => word !== '');
}

const LINES: [string, string[]][] = [
  ['pagemeter ba', ['backup']],
  ['pagemeter --v', ['--version']],
  ['pagemeter user ', ['list', 'deactivate', 'reactivate', 'set-password', '--help']],
  ['pagemeter user set-', ['set-password']],
  ['pagemeter doctor --deep --j', ['--json']],
  ['pagemeter completion f', ['fish']],
  ['pagemeter help re', ['restore', 'rebuild']],
  ['pagemeter demo load you@example.com --q', ['--quiet']],
  ['pagemeter backup --to /mnt --q', ['--quiet']],
  ['pagemeter restore back', []],
];
for (const shell of ['bash', 'zsh'] as const)
  test.if(Bun.which(shell) !== null).each(LINES)(`${shell} completes "%s"`, async (line, words) => {
    expect(await complete(shell, line)).toEqual(words);
  });
