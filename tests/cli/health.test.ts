import { afterAll, expect, test } from 'bun:test';
import { version } from '../../package.json';
import { runCommand } from '../support/command.ts';

/** A proxy that gives Pagemeter a path of a website. */
const proxy = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  routes: { '/meter/api/health': Response.json({ status: 'degraded', reasons: ['no backup'] }) },
  fetch: () => Response.json({ error: 'NOT_FOUND' }, { status: 404 }),
});
afterAll(() => proxy.stop(true));

test.each(['/meter', '/meter/'])('asks a service at the path %s', async (path) => {
  expect(await runCommand({}, 'health', '--url', proxy.url.origin + path)).toEqual({
    code: 0,
    out: 'degraded\nno backup\n',
    err: '',
  });
});

test('says that another program answers', async () => {
  const { code, out, err } = await runCommand({}, 'health', '--url', proxy.url.origin);
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(err).toBe(`${proxy.url.origin}/api/health answers 404, and is not a Pagemeter.\n`);
});

test('says that the connection is refused, and what to look at', async () => {
  expect(await runCommand({}, 'health', '--url', 'http://127.0.0.1:1')).toEqual({
    code: 1,
    out: '',
    err: 'Nothing answers at http://127.0.0.1:1/api/health: the connection is refused. Does the service run, with this HOST and PORT?\n',
  });
});

test.each(['-v', '--version', 'version'])('pagemeter %s prints the version', async (word) => {
  expect(await runCommand({}, word)).toEqual({ code: 0, out: `${version}\n`, err: '' });
});
