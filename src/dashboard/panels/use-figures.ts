import { useEffect, useRef } from 'preact/hooks';
import type { Dashboard } from '../../contract/metrics/dashboard.ts';
import { MINUTE_MS } from '../../vocabulary/durations.ts';
import { ask, type Place } from '../api/place.ts';
import { useAnswer } from '../api/use-answer.ts';
import { announce } from '../components/Announcer.tsx';
import { toComparisonQuestion } from '../state/comparison.ts';
import { WEBSITE } from '../state/dimension-names.ts';
import { formatCountOf } from '../state/format.ts';
import { type Outcome, toGoalListQuestion } from '../state/outcome.ts';
import { formatRange } from '../state/time-format.ts';
import { toQuestion, type ViewState } from '../state/view-state.ts';
import type { Lists } from './Panel.tsx';
import { ANY_PROPERTY, currentTab, PANEL_ROWS, type PanelSpec } from './panels.ts';

/** Interval of asking again, so that an open page shows new events. */
const EVERY_MS = MINUTE_MS;

type Question = {
  place: Place;
  view: ViewState;
  outcome: Outcome;
  panels: readonly PanelSpec[];
  /** Asks only when true. */
  isReady: boolean;
};

/** The figures of a dashboard in one answer: totals, series, and the lists of the shown tabs. */
export function useFigures({ place, view, outcome, panels, isReady }: Question) {
  // The answer contains the tabs shown when it is requested; another tab is requested on its own.
  const question = {
    ...toQuestion(outcome.view),
    ...toComparisonQuestion(view),
    ...toGoalListQuestion(outcome),
    interval: view.interval,
  };
  const tabs = useRef<{ key: string; breakdowns: string[] }>({ key: '', breakdowns: [] });
  const key = `${place.base} ${JSON.stringify(question)}`;
  if (isReady && tabs.current.key !== key) tabs.current = { key, breakdowns: dimensionsOf(view, panels) };
  const figures = useAnswer(
    isReady ? `dashboard ${key}` : undefined,
    (signal) =>
      ask<Dashboard>(
        place,
        '/stats/dashboard',
        {
          ...question,
          breakdowns: JSON.stringify(tabs.current.breakdowns),
          limit: PANEL_ROWS + 1,
          withAbsent: 'true',
          annotations: 'true',
        },
        signal,
      ),
    { everyMs: EVERY_MS },
  );
  const { answer, fault, isLoading } = figures;
  useEffect(() => {
    if (answer && !isLoading) announce(describeTotals(answer));
  }, [key, isLoading]);
  const lists: Lists = {
    asked: tabs.current.breakdowns,
    rows: new Map(answer?.breakdowns.map(({ dimension, rows }) => [dimension, rows])),
    hasFailed: fault !== undefined,
  };
  return { ...figures, lists };
}

/** Dimensions of the shown tabs. */
export function dimensionsOf(view: ViewState, panels: readonly PanelSpec[]): string[] {
  const shown = panels
    .map((panel) => currentTab(panel, view.tabs))
    .filter(({ dimension, only }) => !only && dimension !== ANY_PROPERTY && dimension !== WEBSITE);
  return shown.map(({ dimension }) => dimension);
}

/** Announced to screen readers when the figures change. */
function describeTotals({ totals: { visitors }, range }: Dashboard): string {
  return `${formatCountOf(visitors, 'visitors')}, ${formatRange(range)}`;
}
