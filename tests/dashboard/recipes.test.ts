import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { recipesFor } from '../../src/dashboard/install/recipes.ts';

const DOCS = readFileSync(join(import.meta.dir, '../../docs/tracker.md'), 'utf8');
const codeOf = (origin: string, id: string) =>
  recipesFor({ origin, script: '/m.js', collect: '/m', trackingCode: 'pm-…' }).find(
    (recipe) => recipe.id === id,
  )?.code ?? '';

test.each(['nginx', 'caddy'])('the documentation and the dashboard have one recipe for %s', (id) => {
  expect(DOCS).toContain(`\n${codeOf('https://meter.example.com', id)}\n`);
});

test('nginx names the host to a server with a certificate, and only to one', () => {
  const sni = 'proxy_ssl_server_name on;';
  expect(codeOf('https://meter.example.com', 'nginx').split(sni)).toHaveLength(4);
  expect(codeOf('http://localhost:3000', 'nginx')).not.toContain(sni);
});
