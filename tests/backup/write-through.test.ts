import { expect, test } from 'bun:test';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { compiler, prepareJournal } from '../faults/stage/write-journal.ts';
import { runCommand } from '../support/command.ts';
import { createInstallation } from './support.ts';

const EVENTS = 30_000; // a copy of 4 MB

test.skipIf(compiler === null && process.env.CI === undefined)(
  'a copy goes to the disk while it is written, not all of it at the end, and is there before it has its name',
  async () => {
    const installation = await createInstallation(EVENTS);
    const to = join(installation.path, 'elsewhere');
    mkdirSync(to);
    const journal = prepareJournal(to);
    const environment = { ...journal.environment, DATA_DIR: installation.path };
    const { code } = await runCommand(environment, 'backup', '--to', join(to, 'copy.db'));
    expect(code).toBe(0);
    const deeds = journal.read().filter(({ file }) => file === '.copy.db.partial');
    const lastWrite = deeds.findLastIndex(({ what }) => what === 'write');
    expect(deeds.findIndex(({ what }) => what === 'sync')).toBeWithin(1, lastWrite);
    expect(deeds.slice(lastWrite).some(({ what }) => what === 'sync')).toBe(true);
    journal.remove();
    installation.remove();
  },
  30_000,
);
