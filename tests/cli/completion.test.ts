import { expect, test } from 'bun:test';
import { runCommand } from '../support/command.ts';

/** What bash offers for a line that ends where the cursor is. */
async function complete(line: string): Promise<string[]> {
  const { out: script } = await runCommand({}, 'completion', 'bash');
  const words = line.split(' ');
  const child = Bun.spawn(
    [
      'bash',
      '-c',
      `${script}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _pagemeter; printf '%s\\n' "\${COMPREPLY[@]}"`,
      'bash',
      ...words,
    ],
    { stdout: 'pipe' },
  );
  return (await new Response(child.stdout).text()).split('\n').filter((word) => word !== '');
}

test.each([
  ['pagemeter ba', ['backup']],
  ['pagemeter --v', ['--version']],
  ['pagemeter user ', ['list', 'deactivate', 'reactivate', 'set-password', '--help']],
  ['pagemeter user set-', ['set-password']],
  ['pagemeter doctor --deep --j', ['--json']],
  ['pagemeter completion f', ['fish']],
  ['pagemeter demo load you@example.com --q', ['--quiet']],
  ['pagemeter backup --to /mnt --q', ['--quiet']],
  ['pagemeter restore back', []],
])('bash completes "%s"', async (line, words) => {
  expect(await complete(line)).toEqual(words);
});
