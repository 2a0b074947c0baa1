import { afterAll, describe, expect, test } from 'bun:test';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSecret } from '../../src/accounts/secret.ts';

const base = mkdtempSync(join(tmpdir(), 'pagemeter-secret-'));
afterAll(() => rmSync(base, { recursive: true }));

let count = 0;
const newDir = () => join(base, String(count++));

describe('the secret', () => {
  test('is the configured one, and then no file is written', () => {
    const dataDir = newDir();
    expect(loadSecret({ configured: 'configured', dataDir })).toBe('configured');
    expect(() => statSync(dataDir)).toThrow();
  });

  test('is made once, for the owner alone, and kept', () => {
    const dataDir = newDir();
    const secret = loadSecret({ configured: undefined, dataDir });
    expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
    expect(readdirSync(dataDir)).toEqual(['secret']);
    expect(statSync(join(dataDir, 'secret')).mode & 0o777).toBe(0o600);
    expect(loadSecret({ configured: undefined, dataDir })).toBe(secret);
    expect(loadSecret({ configured: undefined, dataDir: newDir() })).not.toBe(secret);
  });

  test('is the same for processes that start together', async () => {
    const dataDir = newDir();
    const script = `import { loadSecret } from ${JSON.stringify(join(import.meta.dir, '../../src/accounts/secret.ts'))};
      console.log(loadSecret({ configured: undefined, dataDir: ${JSON.stringify(dataDir)} }));`;
    const secrets = await Promise.all(
      Array.from({ length: 6 }, () =>
        new Response(Bun.spawn([process.execPath, '-e', script]).stdout).text(),
      ),
    );
    expect(new Set(secrets.map((text) => text.trim()))).toEqual(
      new Set([readFileSync(join(dataDir, 'secret'), 'utf8').trim()]),
    );
    expect(readdirSync(dataDir)).toEqual(['secret']);
  });

  test('is another one for each process without a data directory', () => {
    const secrets = [1, 2].map(() => loadSecret({ configured: undefined, dataDir: undefined }));
    expect(new Set(secrets).size).toBe(2);
  });

  test('is refused when others can read it', () => {
    const dataDir = newDir();
    loadSecret({ configured: undefined, dataDir });
    const path = join(dataDir, 'secret');
    for (const mode of [0o640, 0o604, 0o660]) {
      chmodSync(path, mode);
      expect(() => loadSecret({ configured: undefined, dataDir })).toThrow(
        `${path} can be read by other users of this machine; run: chmod 600 ${path}`,
      );
    }
  });

  test.each(['', '\n', 'x'.repeat(31)])('is refused when the file holds %j', (content) => {
    const dataDir = newDir();
    loadSecret({ configured: undefined, dataDir });
    writeFileSync(join(dataDir, 'secret'), content);
    expect(() => loadSecret({ configured: undefined, dataDir })).toThrow('holds no usable secret');
  });
});
