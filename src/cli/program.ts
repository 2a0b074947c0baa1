import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import { version } from '../../package.json';
import type { Shell } from './completion.ts';
import { addExportCommands } from './export-commands.ts';
import { addImportCommands } from './import-commands.ts';
import { MORE_HELP } from './more-help.ts';
import { QUIET } from './quiet.ts';

const AFTER_HELP = `
Settings come from environment variables, a file .env or /etc/pagemeter/pagemeter.env; \`pagemeter settings\` lists
them.`;

/**
 * Every command with its arguments and its help. What a command needs is loaded when it runs.
 *
 * @param end takes the exit code of a command that has run
 */
export function createProgram(end: (code: number) => void): Command {
  const program = new Command('pagemeter')
    .description('Self-hosted web analytics: one process, one SQLite file, one script tag.')
    .version(version, '-v, --version', 'print the version')
    .helpOption('-h, --help', 'explain a command')
    .helpCommand('help [COMMAND]', 'explain a command')
    .addHelpText('afterAll', AFTER_HELP)
    .showSuggestionAfterError()
    .exitOverride(); // the caller decides the exit code

  program
    .command('serve')
    .description('serve; the same as no command at all')
    .action(async () => (await import('../serve.ts')).serve());
  program
    .command('health')
    .description('ask the service of these settings whether it is well; exit code 1 when it is not')
    .option('--url <URL>', 'ask the service at this address instead', readAddress)
    .action(async ({ url }: { url?: string }) => end(await (await import('./health.ts')).askHealth(url)));

  addUserCommands(program, end);
  addFileCommands(program, end);
  addStatisticsCommands(program, end);
  addImportCommands(program, end);
  addExportCommands(program, end);

  program
    .command('settings')
    .description('list every setting with its default')
    .action(async () => (await import('./settings.ts')).printSettings());
  program
    .command('version')
    .description('print the version; the same as --version')
    .action(() => console.log(version));
  program
    .command('completion')
    .description('print what makes a shell complete these commands: eval "$(pagemeter completion bash)"')
    .addArgument(new Argument('<SHELL>').choices(['bash', 'zsh', 'fish'] satisfies Shell[]))
    .action(async (shell: Shell) =>
      console.log((await import('./completion.ts')).toCompletion(program, shell)),
    );
  program
    .command('licences')
    .description('print the licences of what is inside')
    .action(async () => (await import('./licences.ts')).printLicences());
  program
    .helpCommand(false) // commander's explains no command below another one
    .command('help [COMMAND...]')
    .description('explain a command')
    .action((names: string[]) => findCommand(program, names).help());
  for (const command of program.commands) {
    const more = MORE_HELP[command.name()];
    if (more) command.addHelpText('after', `\n${more}`);
  }
  return program;
}

function readAddress(text: string): string {
  if (/^https?:/.test(text) && URL.canParse(text)) return text;
  throw new InvalidArgumentError('It must be an address such as http://localhost:3000.');
}

/** Finds a command by its path of names. @throws CommanderError when it does not exist */
function findCommand(program: Command, names: readonly string[]): Command {
  return names.reduce((above, name) => {
    const found = above.commands.find((command) => command.name() === name);
    return found ?? above.error(`error: unknown command '${name}'`);
  }, program);
}

function addUserCommands(program: Command, end: (code: number) => void): void {
  const user = program.command('user').description('accounts');
  const run = async (name: 'list' | 'deactivate' | 'reactivate' | 'set-password', email = '') => {
    const [{ runOnDatabase }, { USER_COMMANDS }] = await Promise.all([
      import('./with-settings.ts'),
      import('./user.ts'),
    ]);
    end(await runOnDatabase(USER_COMMANDS[name](email)));
  };
  user
    .command('list')
    .description('every account: address, state, registered on, name')
    .action(() => run('list'));
  user
    .command('deactivate <EMAIL>')
    .description('refuse its password, tokens and API keys until reactivated')
    .action((email: string) => run('deactivate', email));
  user
    .command('reactivate <EMAIL>')
    .description('accept them again')
    .action((email: string) => run('reactivate', email));
  user
    .command('set-password <EMAIL>')
    .description('replace the password by the line on standard input; ends all its logins')
    .action((email: string) => run('set-password', email));
}

function addFileCommands(program: Command, end: (code: number) => void): void {
  program
    .command('backup')
    .description('copy the database to BACKUP_TO, while the service runs or not')
    .option(
      '--to <PLACE>',
      'to a directory, a new file FILE.db, or s3://BUCKET/PREFIX; older ones stay there',
    )
    .option(...QUIET)
    .action(async ({ to, quiet = false }: { to?: string; quiet?: boolean }) => {
      const [{ watched }, { runOnFiles }, { backUp }] = await Promise.all([
        import('./watch.ts'),
        import('./with-settings.ts'),
        import('./backup.ts'),
      ]);
      end(await watched(quiet, 'Nothing is left of the copy.', () => runOnFiles(backUp(to))));
    });
  program
    .command('restore <FILE>')
    .description('put a backup (also s3://BUCKET/NAME) in place; stop the service first')
    .option('--replace', 'keep the database that is there under another name')
    .option(...QUIET)
    .action(async (from: string, options: { replace?: boolean; quiet?: boolean }) => {
      const [{ watched }, { runOnFiles }, { restore }] = await Promise.all([
        import('./watch.ts'),
        import('./with-settings.ts'),
        import('./restore.ts'),
      ]);
      const { replace = false, quiet = false } = options;
      end(await watched(quiet, 'Nothing has changed.', () => runOnFiles(restore(from, replace))));
    });
  program
    .command('doctor')
    .description('look for faults of the settings, the files, the database and the statistics')
    .option('--deep', 'also rebuild all statistics of a copy and compare the answers')
    .option('--json', 'print the findings as JSON')
    .option(...QUIET)
    .action(async (options: { deep?: boolean; json?: boolean; quiet?: boolean }) => {
      const [{ watched }, { runOnFiles }, { examine }] = await Promise.all([
        import('./watch.ts'),
        import('./with-settings.ts'),
        import('./doctor.ts'),
      ]);
      const isShort = !options.deep || options.quiet === true;
      end(await watched(isShort, 'Nothing has changed.', () => runOnFiles(examine(options))));
    });
}

function addStatisticsCommands(program: Command, end: (code: number) => void): void {
  program
    .command('rebuild')
    .description('rebuild all statistics from the events; stop the service first')
    .option(...QUIET)
    .action(async ({ quiet = false }: { quiet?: boolean }) => {
      const [{ watched }, { runOnDatabase }, { rebuild }] = await Promise.all([
        import('./watch.ts'),
        import('./with-settings.ts'),
        import('./rebuild.ts'),
      ]);
      const stopped = 'The service derives what is missing.';
      end(await watched(quiet, stopped, () => runOnDatabase(rebuild)));
    });
  const moving = program
    .command('move')
    .description(
      'copy all events to a ClickHouse server, or back, and compare the answers; stop the service first',
    )
    .addOption(
      new Option('--to [URL]', 'to this server; without URL to that of EVENTS_URL').conflicts('from'),
    )
    .option('--from [URL]', 'from this server')
    .option(...QUIET)
    .action(
      async ({ to, from, quiet = false }: { to?: string | true; from?: string | true; quiet?: boolean }) => {
        const direction = to ? { to } : from && { from };
        if (!direction) return moving.error('error: one of --to and --from is needed');
        const [{ watched }, { runOnDatabase }, { move }] = await Promise.all([
          import('./watch.ts'),
          import('./with-settings.ts'),
          import('./move.ts'),
        ]);
        const stopped = 'The same command continues from there.';
        end(await watched(quiet, stopped, () => runOnDatabase(move(direction))));
      },
    );
  const demo = program.command('demo').description('a website with 90 days of invented traffic');
  const run = async (name: 'load' | 'remove', email: string, isQuiet: boolean) => {
    const [{ watched }, { runOnDatabase }, { DEMO_COMMANDS }] = await Promise.all([
      import('./watch.ts'),
      import('./with-settings.ts'),
      import('./demo.ts'),
    ]);
    const stopped = 'What was loaded is removed again.';
    end(await watched(isQuiet, stopped, () => runOnDatabase(DEMO_COMMANDS[name](email))));
  };
  demo
    .command('load <EMAIL>')
    .description('add it to an account')
    .option(...QUIET)
    .action((email: string, { quiet = false }: { quiet?: boolean }) => run('load', email, quiet));
  demo
    .command('remove <EMAIL>')
    .description('delete it again')
    .action((email: string) => run('remove', email, true));
}
