import { IMPORT_FORMATS } from '../vocabulary/import-formats.ts';
import type { Format } from './format.ts';
import { accessLog } from './formats/access-log.ts';
import { accessLogJson } from './formats/access-log-json.ts';
import { ga4 } from './formats/ga4.ts';
import { goatcounter } from './formats/goatcounter.ts';
import { googleReports } from './formats/google-reports.ts';
import { matomo } from './formats/matomo.ts';
import { ownCsv, ownJson } from './formats/own.ts';
import { plausible } from './formats/plausible.ts';
import { posthog } from './formats/posthog.ts';
import { simpleAnalytics } from './formats/simple-analytics.ts';
import { umami } from './formats/umami.ts';
import { ImportError } from './import-error.ts';
import type { SourceFile } from './source/source-file.ts';

/** Every format that can be imported. The first that matches a file reads it. */
export const FORMATS: readonly Format[] = [
  ownJson,
  ownCsv,
  umami,
  matomo,
  goatcounter,
  ga4,
  posthog,
  simpleAnalytics,
  plausible,
  googleReports,
  accessLog,
  accessLogJson,
];

/** Files of an import with their format. `ignored`: names of files of a zip, or of a list, that are not of this format. */
export type Chosen = { format: Format; files: SourceFile[]; ignored: string[] };

/** @throws ImportError when no format matches, or two files need different ones */
export function chooseFormat(files: readonly SourceFile[], name: string | undefined): Chosen {
  if (name !== undefined) {
    const named = FORMATS.find((format) => format.name === name);
    if (!named) throw new ImportError(`There is no format ${name}. Formats: ${NAMES}`);
    return { format: named, files: [...files], ignored: [] };
  }
  const byFormat = Map.groupBy(files, (file) => FORMATS.find((format) => format.matches(file)));
  const ignored = byFormat.get(undefined)?.map((file) => file.name) ?? [];
  byFormat.delete(undefined);
  const [first, second] = [...byFormat].map(([format, own]) => ({ format, own }));
  if (!first?.format)
    throw new ImportError(`${files[0]?.name ?? 'The file'} is in none of these formats: ${NAMES}`);
  if (second?.format)
    throw new ImportError(
      `${first.own[0]?.name} is ${IMPORT_FORMATS[first.format.name]} and ${second.own[0]?.name} is ${IMPORT_FORMATS[second.format.name]}: import one after the other`,
    );
  return { format: first.format, files: first.own, ignored };
}

const NAMES = FORMATS.map(({ name }) => name).join(', ');
