import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createDataDir } from '../../support/process.ts';
import type { BarOptions, BarResult } from '../bar.ts';
import { createAudit } from '../stage/audit.ts';
import { type Answered, runAll } from '../stage/clients.ts';
import { percentile } from '../stage/measure.ts';
import { openStage, type Stage } from '../stage/stage.ts';

const CLIENTS = 8;
const PAUSE_MS = 10;
const SLOWER_MAX = 2;
const PERMISSIONS = 0o777;
const SECRET_TEXT = 'Correct-horse-9';
/** The address that a visitor's proxy names. */
const VISITOR_ADDRESS = '198.51.100.77';

/** A backup is made under load and restored: everything acknowledged before it began is there, and nothing private. */
export async function tryBackup({ isLong, seed }: BarOptions): Promise<BarResult> {
  const faults: string[] = [];
  const stage = await openStage({ seed, environment: { TRUST_PROXY: '1', ACCESS_LOG: 'on' } });
  const { body: made } = await stage.call('POST', '/auth/api-keys', {
    token: stage.token,
    body: { name: 'k' },
  });
  await sendFromAddress(stage);
  const answers: Answered[] = [];
  const clients = stage.createClients(CLIENTS, {
    pauseMs: PAUSE_MS,
    observe: (answer) => answer && answers.push(answer),
  });
  let isOver = false;
  const running = runAll(clients, stage.url(), () => isOver);
  await Bun.sleep(isLong ? 10_000 : 1_000);
  const before = new Map(stage.ledger.acknowledged);
  const copy = join(stage.dataDir, 'copy.db');
  const startedMs = performance.now();
  await runCommand(stage.environment, ['backup', '--to', copy]);
  const endedMs = performance.now();
  await Bun.sleep(isLong ? 10_000 : 500);
  isOver = true;
  await running;

  const during = answers.filter(({ atMs }) => atMs >= startedMs && atMs < endedMs);
  const meanwhile = percentile(
    during.map(({ tookMs }) => tookMs),
    0.99,
  );
  const otherwise = percentile(
    answers.filter((one) => !during.includes(one)).map(({ tookMs }) => tookMs),
    0.99,
  );
  const failed = answers.filter(({ status }) => status !== 201).length;
  if (failed > 0) faults.push(`${failed} requests were refused`);
  if (isLong && meanwhile > otherwise * SLOWER_MAX)
    faults.push(`p99 was ${meanwhile.toFixed(0)} ms during the backup, ${otherwise.toFixed(0)} ms otherwise`);

  const target = createDataDir();
  await runCommand({ DATA_DIR: target.path }, ['restore', copy]);
  const onlyBefore = { ...stage.ledger, acknowledged: before };
  const restored = createAudit(join(target.path, 'pagemeter.db'), onlyBefore);
  faults.push(...(await restored()).map((fault) => `the restored copy: ${fault}`));
  const log = stage.service().output() + stage.service().errors();
  faults.push(...findPrivate(stage, [made.key, stage.token], log));
  faults.push(...(await stage.finish(clients)));
  target.remove();
  return {
    figure: `${stage.ledger.acknowledged.size} events acknowledged, ${before.size} before the backup began, all restored; ${failed} refused; p99 ${meanwhile.toFixed(0)} ms during it, ${otherwise.toFixed(0)} ms otherwise; ${faults.length} faults`,
    faults,
  };
}

async function sendFromAddress(stage: Stage): Promise<void> {
  const event = stage.ledger.create();
  const { trackingCode } = stage.website;
  const response = await fetch(`${stage.url()}/api/v1/events`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': VISITOR_ADDRESS },
    body: JSON.stringify({ ...event, trackingCode, eventType: 'pageview', sessionId: 's', visitorId: 'v' }),
  });
  if (response.status !== 201) throw new Error(`The event was answered ${response.status}.`);
  stage.ledger.acknowledge([event]);
}

/** Files are for their owner alone, and neither they nor the log hold an address, a password or a credential. */
function findPrivate(stage: Stage, credentials: readonly string[], log: string): string[] {
  const faults: string[] = [];
  const files = readdirSync(stage.dataDir).filter((name) => statSync(join(stage.dataDir, name)).isFile());
  const texts = new Map(files.map((name) => [name, readFileSync(join(stage.dataDir, name), 'latin1')]));
  for (const name of files) {
    const mode = statSync(join(stage.dataDir, name)).mode & PERMISSIONS;
    if (mode !== 0o600) faults.push(`${name} has the mode ${mode.toString(8)}`);
  }
  for (const [name, text] of [...texts, ['the log', log] as const])
    for (const secret of [VISITOR_ADDRESS, SECRET_TEXT, ...credentials])
      if (text.includes(secret)) faults.push(`${name} holds ${secret.slice(0, 12)}…`);
  return faults;
}

async function runCommand(environment: Record<string, string>, command: string[]): Promise<void> {
  const child = Bun.spawn([process.execPath, 'src/cli/main.ts', ...command], {
    env: { PATH: process.env.PATH ?? '', ...environment },
    stdout: 'ignore',
    stderr: 'inherit',
  });
  if ((await child.exited) !== 0) throw new Error(`pagemeter ${command.join(' ')} failed.`);
}
