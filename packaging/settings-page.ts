import { join } from 'node:path';
import { SETTING_GROUPS } from '../src/settings/config.ts';
import type { Setting } from '../src/settings/setting.ts';

/**
 * `bun packaging/settings-page.ts` writes .env.example, the tables of docs/settings.md and the rows of the README from
 * the definitions of the settings; a test compares.
 */

const ROOT = join(import.meta.dir, '..');
const HEAD = '| Name | Default | What it is for |\n|---|---|---|';
const GROUPS = Object.entries<Record<string, Setting<unknown>>>(SETTING_GROUPS);

/** Returns the text of each document, by path. */
export async function toSettingsDocuments(): Promise<Record<string, string>> {
  const read = (path: string) => Bun.file(join(ROOT, path)).text();
  return {
    '.env.example': toEnvironmentFile(),
    'docs/settings.md': GROUPS.reduce(replaceTable, await read('docs/settings.md')),
    'README.md': replaceRows(await read('README.md')),
  };
}

function toEnvironmentFile(): string {
  const head =
    '# Every setting is optional. Copy this file to .env and uncomment what you change.\n# docs/settings.md explains each one.\n';
  const groups = GROUPS.map(([title, settings]) => {
    const lines = Object.entries(settings).map(([name, { fallback }]) => `# ${name}=${fallback}\n`);
    return `\n## ${title}\n${lines.join('')}`;
  });
  return head + groups.join('');
}

/** Replaces the table below a group's heading, or adds it at the end of the section. The prose stays. */
function replaceTable(page: string, [title, settings]: (typeof GROUPS)[number]): string {
  const heading = `\n## ${title}\n`;
  const [before, after] = page.split(heading);
  if (before === undefined || after === undefined) throw new Error(`docs/settings.md has no "## ${title}".`);
  const end = after.indexOf('\n## ');
  const section = end === -1 ? after : after.slice(0, end);
  const prose = section.replace(/^\|.*\n/gm, '').trim();
  const rows = Object.entries(settings).map(([name, one]) => toRow(name, one));
  const table = [HEAD, ...rows].join('\n');
  return `${before}${heading}\n${prose && `${prose}\n\n`}${table}\n${end === -1 ? '' : after.slice(end)}`;
}

/** Replaces each row that begins with the name of a setting. */
function replaceRows(page: string): string {
  const all = new Map(GROUPS.flatMap(([, settings]) => Object.entries(settings)));
  return page.replace(/^\| `([A-Z0-9_]+)` \|.*$/gm, (_, name: string) => {
    const one = all.get(name);
    if (!one) throw new Error(`README.md lists ${name}, which is not a setting.`);
    return toRow(name, one);
  });
}

function toRow(name: string, { fallback, description }: Setting<unknown>): string {
  return `| \`${name}\` | ${fallback && `\`${fallback}\``} | ${description} |`;
}

if (import.meta.main)
  for (const [path, text] of Object.entries(await toSettingsDocuments()))
    await Bun.write(join(ROOT, path), text);
