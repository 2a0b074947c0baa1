import type { Format } from './format.ts';
import { accessLog } from './formats/access-log.ts';
import { accessLogJson } from './formats/access-log-json.ts';
import { ga4 } from './formats/ga4.ts';
import { goatcounter } from './formats/goatcounter.ts';
import { matomo } from './formats/matomo.ts';
import { ownCsv, ownJson } from './formats/own.ts';
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
  accessLog,
  accessLogJson,
];

/** @throws ImportError when no format matches, or two files need different ones */
export function findFormat(files: readonly SourceFile[], name: string | undefined): Format {
  if (name !== undefined) {
    const named = FORMATS.find((format) => format.name === name);
    if (!named) throw new ImportError(`There is no format ${name}. Formats: ${NAMES}`);
    return named;
  }
  const found = new Map<Format, string>();
  for (const file of files) {
    const format = FORMATS.find((one) => one.matches(file));
    if (format) found.set(format, file.name);
  }
  const [first, second] = [...found];
  if (!first)
    throw new ImportError(
      `${files[0]?.name ?? 'The file'} is in none of these formats: ${NAMES}. Name one with --format`,
    );
  if (second)
    throw new ImportError(
      `${first[1]} is ${first[0].title} and ${second[1]} is ${second[0].title}: import one after the other`,
    );
  return first[0];
}

const NAMES = FORMATS.map(({ name }) => name).join(', ');
