import type { Command } from 'commander';
import type { DatabaseCommand } from './command.ts';
import type { IMPORT_COMMANDS, ImportOptions } from './import.ts';
import { QUIET } from './quiet.ts';

type ImportCommands = typeof IMPORT_COMMANDS;

const collect = (value: string, before: string[] = []) => [...before, value];

export function addImportCommands(program: Command, end: (code: number) => void): void {
  const run = async (
    toCommand: (commands: ImportCommands) => DatabaseCommand,
    isQuiet: boolean,
    stopped: string,
  ) => {
    const [{ watched }, { runOnDatabase }, { IMPORT_COMMANDS }] = await Promise.all([
      import('./watch.ts'),
      import('./with-settings.ts'),
      import('./import.ts'),
    ]);
    end(await watched(isQuiet, stopped, () => runOnDatabase(toCommand(IMPORT_COMMANDS))));
  };
  const importing = program
    .command('import')
    .enablePositionalOptions() // --website of list is its own
    .description('add history from files of this or another product to a website')
    .argument('[FILE...]', 'files to read; also gzip, zstd and zip')
    .option('--website <WEBSITE>', 'its address, id or tracking code')
    .option('--format <NAME>', 'read the files as this format instead of recognising it')
    .option('--timezone <ZONE>', 'zone of times that say none, such as Europe/Berlin')
    .option('--host <HOST>', 'take pages of this host alone; may be repeated', collect)
    .option('--dry-run', 'show what would be added, and change nothing')
    .option('--follow', 'also add what one access log grows by, until Ctrl-C')
    .option('--json', 'print the result as JSON')
    .option(...QUIET)
    .action(
      (
        files: string[],
        { quiet = false, website, ...options }: Partial<ImportOptions> & { quiet?: boolean },
      ) => {
        if (files.length === 0) return importing.error('error: name the files to import');
        if (website === undefined) return importing.error('error: name the website with --website');
        const stopped = 'The same command continues from there.';
        const isQuiet = quiet || options.follow === true;
        return run((commands) => commands.run(files, { ...options, website }), isQuiet, stopped);
      },
    );
  importing
    .command('list')
    .description('list imports, with the id of each')
    .option('--website <WEBSITE>', 'only those of this one')
    .action(({ website }: { website?: string }) => run((commands) => commands.list(website), true, ''));
  importing
    .command('resume <ID>')
    .description('do what is next with a file that was uploaded; the service runs this itself')
    .action((id: string) => run((commands) => commands.resume(id), true, ''));
  importing
    .command('undo <ID>')
    .description('remove exactly the events that an import has added')
    .option(...QUIET)
    .action((id: string, { quiet = false }: { quiet?: boolean }) =>
      run((commands) => commands.undo(id), quiet, 'The service, or the same command, continues from there.'),
    );
}
