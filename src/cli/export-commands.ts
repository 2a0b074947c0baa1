import { type Command, Option } from 'commander';
import { EXPORT_COMPRESSIONS, EXPORT_FORMATS } from '../vocabulary/exports.ts';
import type { ExportOptions } from './export.ts';
import { QUIET } from './quiet.ts';

export function addExportCommands(program: Command, end: (code: number) => void): void {
  const exporting = program
    .command('export')
    .description('write the events of a website to a file, while the service runs or not')
    .argument(
      '[FILE]',
      'new file; its name may end with .ndjson, .csv or .parquet, and .gz or .zst. Default: standard output',
    )
    .option('--website <WEBSITE>', 'its address, id or tracking code')
    .option('--from <DAY>', 'first day, or instant, in the time zone of the website')
    .option('--to <DAY>', 'last day, or end')
    .addOption(new Option('--format <NAME>', 'write this format').choices(EXPORT_FORMATS))
    .addOption(new Option('--compress <NAME>', 'compress with this').choices(EXPORT_COMPRESSIONS))
    .option('--replace', 'replace the file if it is there')
    .addOption(
      new Option(
        '--daily <PLACE>',
        'write each day that is over to a directory or s3://BUCKET/PREFIX, unless it is there; of all websites without --website',
      ).conflicts(['from', 'to', 'replace']),
    )
    .option(...QUIET)
    .action(
      async (
        file: string | undefined,
        {
          quiet = false,
          daily,
          website,
          ...options
        }: Partial<ExportOptions> & { daily?: string; quiet?: boolean },
      ) => {
        if (daily !== undefined && file !== undefined)
          return exporting.error('error: --daily names its own files');
        if (website === undefined && daily === undefined)
          return exporting.error('error: name the website with --website');
        if (file === undefined && process.stdout.isTTY && options.format === 'parquet')
          return exporting.error('error: Parquet is not for a terminal: name a file');
        const [{ watched }, { runOnDatabase }, { exportEvents }, { exportDays }] = await Promise.all([
          import('./watch.ts'),
          import('./with-settings.ts'),
          import('./export.ts'),
          import('./export-daily.ts'),
        ]);
        const stopped = 'The same command continues from there.';
        if (daily !== undefined)
          return end(
            await watched(quiet, stopped, () => runOnDatabase(exportDays(daily, { ...options, website }))),
          );
        // A process that watches would collect what another one writes to standard output.
        const isQuiet = quiet || file === undefined;
        const named = { ...options, website: website ?? '' };
        end(await watched(isQuiet, stopped, () => runOnDatabase(exportEvents(file, named))));
      },
    );
}
