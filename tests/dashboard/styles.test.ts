import { expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Glob } from 'bun';
import { bundleBrowserFiles } from '../../src/assets/browser-files.ts';

const ROOT = join(import.meta.dir, '../../src/dashboard');
const SHEETS = [...new Glob('**/*.css').scanSync(ROOT)];

test('the style of the dashboard contains every sheet, those that others build on first', async () => {
  const { addresses, files } = await bundleBrowserFiles();
  const style = files.find(({ name }) => addresses.dashboardStyle.endsWith(name))?.text ?? '';
  const places = await Promise.all(
    SHEETS.map(async (sheet) => {
      const text = await Bun.file(join(ROOT, sheet)).text();
      const [, name = ''] = /\.([a-z][a-z-]+)/.exec(text.replace(/\/\*[\s\S]*?\*\//g, '')) ?? [];
      return { sheet, name, place: style.indexOf(`.${name}`) };
    }),
  );
  expect(places.filter(({ place }) => place < 0)).toEqual([]);
  const placeOf = (wanted: string) => places.find(({ sheet }) => sheet === wanted)?.place ?? -1;
  expect(placeOf('styles/page.css')).toBeLessThan(placeOf('components/Menu.css'));
  expect(placeOf('components/Menu.css')).toBeLessThan(placeOf('charts/ChartTooltip.css'));
  expect(placeOf('website/DemoNote.css')).toBeLessThan(placeOf('pages/WebsitesPage.css'));
});

test('a sheet with the name of a component is next to it', () => {
  const ofComponents = SHEETS.filter((sheet) => /^[A-Z]/.test(basename(sheet)));
  expect(ofComponents.filter((sheet) => !existsSync(join(ROOT, sheet.replace(/css$/, 'tsx'))))).toEqual([]);
});
