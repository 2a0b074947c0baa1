import type { DatabaseTarget } from '../../src/settings/database.ts';
import { namespacesOf } from './sqld.ts';
import { isOnClickHouse } from './test-events.ts';

/**
 * The server that the tests run on instead of in memory: the addresses of its API and of its administration. Set by
 * tests/remote/contract, whose sqld it is: a test process is not told when it ends, and would leave one behind.
 */
const [apiUrl, adminUrl] = process.env.TEST_SQLD?.split(' ') ?? [];
const createNamespace = apiUrl && adminUrl ? namespacesOf(apiUrl, adminUrl) : undefined;

/** For the tests that need the embedded database, with its events, and the reason next to them. */
export const isOnServer = createNamespace !== undefined || isOnClickHouse;

/** A database that nothing was stored in yet, and how it is thrown away. */
export type TestDatabase = { target: DatabaseTarget; remove(): Promise<void> };

/** In memory, or a namespace of its own on the server. */
export async function createTestDatabase(): Promise<TestDatabase> {
  if (!createNamespace) return { target: { kind: 'memory' }, remove: () => Promise.resolve() };
  const { url, remove } = await createNamespace();
  return { target: { kind: 'remote', url, authToken: undefined }, remove };
}
