import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { createProgram } from '../src/cli/program.ts';

/** `bun packaging/command-pages.ts` writes docs/commands from the program's own help; a test compares. */

export const COMMANDS_FOLDER = join(import.meta.dir, '../docs/commands');
const WIDTH = 100;

/** The text of each page, by the name of its file. */
export function toCommandPages(): Record<string, string> {
  const program = createProgram(() => {});
  const pages = program.commands.map((command): [string, string] => [
    `${command.name()}.md`,
    toPage(command),
  ]);
  const rows = program.commands.map(
    (command) => `| [\`${command.name()}\`](${command.name()}.md) | ${command.description()} |`,
  );
  const index = `# Commands

\`pagemeter\` stands for the executable; from source it is \`bun run pagemeter\`. These pages are what \`pagemeter help COMMAND\` prints.
The exit code is 0 when it is done, 1 when it failed, 2 for invalid arguments, 78 for invalid settings, and 130 after Ctrl-C.

| Command | What it does |
|---|---|
${rows.join('\n')}
`;
  return { 'README.md': index, ...Object.fromEntries(pages) };
}

/** The help of each command and of those below it, under its name. */
export function toCommandHelp(): { name: string; text: string }[] {
  return createProgram(() => {}).commands.map((command) => ({
    name: command.name(),
    text: [command, ...command.commands].map(toHelp).join('\n\n'),
  }));
}

function toPage(command: Command): string {
  const texts = [command, ...command.commands].map((one) => `\`\`\`\n${toHelp(one)}\n\`\`\`\n`);
  return `# pagemeter ${command.name()}\n\n${texts.join('\n')}`;
}

/** As it is printed on a terminal of this width, whatever this one has. */
function toHelp(command: Command): string {
  let text = '';
  command.configureOutput({
    writeOut: (part) => {
      text += part;
    },
    getOutHelpWidth: () => WIDTH,
    getOutHasColors: () => false,
  });
  command.outputHelp();
  return text.trim();
}

if (import.meta.main) {
  await mkdir(COMMANDS_FOLDER, { recursive: true });
  for (const [name, text] of Object.entries(toCommandPages()))
    await Bun.write(join(COMMANDS_FOLDER, name), text);
}
