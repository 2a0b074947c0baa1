import { basename, resolve } from 'node:path';
import { checksumName } from '../backup/checksum.ts';
import { restoreBackup } from '../backup/restore.ts';
import { BUCKET_RULE, toBackupTarget } from '../settings/backup.ts';
import { requireFile } from './backup.ts';
import type { FileCommand } from './command.ts';
import { count } from './count.ts';
import { tell } from './watch.ts';

export function restore(from: string, isReplacing: boolean): FileCommand {
  return async (readSettings, { print }) => {
    const { config, secrets } = readSettings();
    const databasePath = requireFile(config.database, 'restore it');
    const { aside, isChecked, events, websites, schema } = await restoreBackup({
      from: toSource(from),
      databasePath,
      s3: secrets.s3,
      isReplacing,
      nowMs: Date.now(),
      onStep: tell.step,
    });
    print(`${databasePath} is restored: ${count(events, 'event')}, ${count(websites, 'website')}, verified.`);
    if (aside) print(`What was there is now ${aside}; delete it when all is well.`);
    if (!isChecked)
      print(`There was no ${checksumName(basename(from))} next to it: changed bits may have gone unnoticed.`);
    if (schema.pending > 0) print('It was made by an older version; the next start brings it up to date.');
    return 0;
  };
}

function toSource(from: string) {
  const target = toBackupTarget(from, '', process.cwd());
  if (target.kind === 'directory') {
    if (from.includes('://') || from.startsWith('s3:'))
      throw new Error(`${from} is neither a path nor s3://BUCKET/NAME, ${BUCKET_RULE}.`);
    return { kind: 'file', path: resolve(from) } as const;
  }
  const parts = target.prefix.replace(/\/$/, '').split('/');
  const name = parts.pop() ?? '';
  if (name === '') throw new Error(`${from} names a bucket, and not a backup in it.`);
  return {
    kind: 's3',
    bucket: target.bucket,
    prefix: parts.map((part) => `${part}/`).join(''),
    name,
  } as const;
}
