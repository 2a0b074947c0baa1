import { expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMMANDS_FOLDER, toCommandPages } from '../../packaging/command-pages.ts';
import { MORE_HELP } from '../../src/cli/more-help.ts';
import { createProgram } from '../../src/cli/program.ts';

test('docs/commands says of each command what its help says (bun packaging/command-pages.ts)', () => {
  const written = Object.fromEntries(
    readdirSync(COMMANDS_FOLDER).map((name) => [name, readFileSync(join(COMMANDS_FOLDER, name), 'utf8')]),
  );
  expect(written).toEqual(toCommandPages());
});

test('each command has examples, and nothing else has', () => {
  const names = createProgram(() => {}).commands.map((command) => command.name());
  expect(Object.keys(MORE_HELP).toSorted()).toEqual(names.toSorted());
  expect(Object.entries(MORE_HELP).filter(([name, text]) => !text.includes(`pagemeter ${name}`))).toEqual([]);
});
