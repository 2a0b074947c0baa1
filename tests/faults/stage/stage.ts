import { join } from 'node:path';
import { createRandom } from '../../../src/demo/random.ts';
import { createDataDir, type ServiceProcess, startProcess } from '../../support/process.ts';
import { createAudit } from './audit.ts';
import { type Client, type ClientOptions, createClient, runAll } from './clients.ts';
import { createLedger } from './ledger.ts';

/** The real service as a process on a file of its own, an account, a website, and a ledger of what was sent to it. */
export type Stage = Awaited<ReturnType<typeof openStage>>;

/** All clients have one address. */
const UNLIMITED = { LIMIT_COLLECT_PER_S: '0', LIMIT_API_PER_S: '0', ACCESS_LOG: 'off' };

type Options = {
  seed?: number;
  /** More of the environment. */
  environment?: Record<string, string>;
  /** Made by the caller, who also removes it. */
  dataDir?: string;
  /** In place of the service: one that starts it. */
  program?: string[];
};

export async function openStage({ seed = 1, environment = {}, dataDir, program }: Options = {}) {
  const directory = dataDir === undefined ? createDataDir() : { path: dataDir, remove: () => {} };
  const databasePath = join(directory.path, 'pagemeter.db');
  const settings: Record<string, string> = { ...UNLIMITED, DATA_DIR: directory.path, ...environment };
  const ledger = createLedger();
  const random = createRandom(seed);
  let service: ServiceProcess = await startProcess(settings, { program });
  const token = await register();
  const website = await addWebsite('https://example.com');

  async function register(): Promise<string> {
    const { body } = await call('POST', '/auth/register', {
      body: { email: 'owner@example.com', password: 'Correct-horse-9' },
    });
    return body.tokens.accessToken;
  }

  async function addWebsite(domain: string): Promise<{ id: string; trackingCode: string }> {
    const { body } = await call('POST', '/websites', { token, body: { name: 'Example', domain } });
    return body;
  }

  /** @param path below /api/v1 */
  async function call(
    method: string,
    path: string,
    { token, body }: { token?: string; body?: unknown } = {},
  ) {
    const response = await fetch(`${service.url}/api/v1${path}`, {
      method,
      headers: {
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const { status, headers } = response;
    // biome-ignore lint/suspicious/noExplicitAny: the contract's answers, whose form other tests check
    const answer = (await response.json()) as any;
    return { status, headers, body: answer };
  }

  return {
    dataDir: directory.path,
    databasePath,
    environment: settings,
    token,
    website,
    ledger,
    random,
    audit: createAudit(databasePath, ledger),
    call,
    addWebsite,
    service: () => service,
    url: () => service.url,
    pid: () => service.process.pid,
    remove: () => directory.remove(),

    createClients(count: number, options: Partial<ClientOptions> = {}): Client[] {
      const { trackingCode } = website;
      return Array.from({ length: count }, () => createClient({ trackingCode, ledger, random, ...options }));
    },

    async start(changes: Record<string, string> = {}): Promise<void> {
      service = await startProcess({ ...settings, ...changes }, { program });
    },

    async kill(): Promise<void> {
      service.process.kill('SIGKILL');
      await service.process.exited;
    },

    /** Sends what was not acknowledged, compares the file with the ledger, stops the service and removes the file. */
    async finish(clients: readonly Client[] = []): Promise<string[]> {
      const faults: string[] = [];
      await runAll(clients, service.url, () => true);
      if (clients.length > 0 && ledger.acknowledged.size !== ledger.sentCount())
        faults.push('not every event was acknowledged at last');
      faults.push(...(await this.audit()));
      if ((await service.stop()) !== 0) faults.push('the service did not stop in order');
      directory.remove();
      return faults;
    },
  };
}
