import { expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const GITHUB = join(import.meta.dir, '../../.github');
const WORKFLOWS = readdirSync(join(GITHUB, 'workflows'));

test.each(WORKFLOWS)('%s names every action by its commit, and no right that it does not list', (name) => {
  const text = readFileSync(join(GITHUB, 'workflows', name), 'utf8');
  const workflow = Bun.YAML.parse(text) as {
    jobs: Record<string, { steps: { uses?: string }[] }>;
    permissions?: object;
  };
  const actions = Object.values(workflow.jobs).flatMap(({ steps }) =>
    steps.flatMap(({ uses }) => uses ?? []),
  );
  expect(actions.filter((action) => !/@[0-9a-f]{40}$/.test(action))).toEqual([]);
  expect(workflow.permissions).toBeDefined();
});

test.each(['bug', 'feature'])('the template of a %s report is a form with a usual label', (name) => {
  const form = Bun.YAML.parse(readFileSync(join(GITHUB, 'ISSUE_TEMPLATE', `${name}.yml`), 'utf8'));
  expect(form).toMatchObject({
    name: expect.any(String),
    labels: [name === 'bug' ? 'bug' : 'enhancement'],
    body: expect.any(Array),
  });
});
