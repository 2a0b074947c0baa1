import type { Asked } from './ask.ts';
import type { Loaded } from './load.ts';
import { askAttribution } from './outcomes/attribution.ts';
import { askFunnel, askFunnelWithoutWindow } from './outcomes/funnel.ts';
import { askGoals, askGoalsAsPages } from './outcomes/goals.ts';
import { askJourneys } from './outcomes/journeys.ts';
import { askRetention } from './outcomes/retention.ts';
import { toWhere } from './outcomes/sql.ts';
import { DAY_MS, LARGEST } from './questions.ts';
import { call, startService } from './service.ts';

/** Goals, a funnel, who came again, journeys and attribution, with what DuckDB says of the same events. */

const GOALS = 20;
const DAYS = 30;

/** The largest website. */
export type OutcomeContext = {
  /** Its address below the API's. */
  website: string;
  /** The parameters of thirty days, and the same as a condition of DuckDB's. */
  range: string;
  where: string;
  fromMs: number;
  endMs: number;
  /** The most visited pages, of which each is a goal of this name. */
  pages: readonly string[];
};

/** Adds goals for the website's most visited pages, unless they are there. */
export async function outcomes(loaded: Loaded): Promise<Asked[]> {
  const website = `/websites/${loaded.websites[LARGEST]?.id}`;
  const { endMs } = loaded;
  const fromMs = endMs - DAYS * DAY_MS;
  const range = `from=${fromMs}&to=${endMs}&timezone=UTC`;
  const pages = await prepareGoals(loaded, website, range);
  const context = { website, range, where: toWhere(fromMs, endMs), fromMs, endMs, pages };
  const asked = [
    askGoals,
    askGoalsAsPages,
    askFunnel,
    askFunnelWithoutWindow,
    askRetention,
    askJourneys,
    askAttribution,
  ];
  return asked.map((ask) => ask(context));
}

async function prepareGoals(loaded: Loaded, website: string, range: string): Promise<string[]> {
  const service = await startService(loaded.file);
  // What the routes' schemas promise.
  const { goals } = (await call(service, `${website}/goals`, loaded)) as { goals: { match: string }[] };
  const pages = goals.map(({ match }) => match);
  if (pages.length === 0) {
    const list = await call(service, `${website}/pages?${range}&limit=${GOALS}`, loaded);
    for (const { page } of (list as { pages: { page: string }[] }).pages) {
      await call(service, `${website}/goals`, { ...loaded, body: { name: page, type: 'page', match: page } });
      pages.push(page);
    }
  }
  await service.end();
  return pages;
}
