import { sql } from '../../../log/clickhouse/sql.ts';
import { JOURNEY_STEPS, JOURNEYS_A_BRANCH } from '../../../vocabulary/analytics.ts';
import type { JourneyBranch, JourneysAnswer, JourneysRequest } from '../../analytics.ts';
import { compareText } from '../../derive/text.ts';
import { ask, toScope } from '../ask.ts';
import type { Source } from '../read-window.ts';
import { createScan, TYPE } from '../scan.ts';

/** Kinds of stops. Events that are not a stop have 0. */
const PAGE = 1;
const EVENT = 2;
type Stop = [kind: number, value: string];
/** Journeys that begin with these stops: their number, and how many of them continue. */
type Prefix = [stops: Stop[], visits: number, continuing: number];

export async function answerJourneys(request: JourneysRequest, source: Source): Promise<JourneysAnswer> {
  const { direction, anchor } = request;
  const prefixes = await ask(source, toScope(request), (window) => {
    const scan = createScan(window);
    const [page, name] = [scan.value('page'), scan.value('event')];
    const stop = sql`multiIf(${TYPE} = 0, (${PAGE}, ${page}), ${name} != '', (${EVENT}, ${name}), (0, ''))`;
    const matching = scan.matches(request);
    const at = anchor ? sql`arrayFirstIndex(e -> ${scan.passes(anchor)}, ms)` : sql`0`;
    const after = sql`arraySlice(stops, at + 1)`;
    const before = anchor ? sql`arrayReverse(arraySlice(stops, 1, at - 1))` : sql`arrayReverse(stops)`;
    const stops = sql`arrayFilter((s, p) -> s != p, way, arrayPopBack(arrayPushFront(way, came_from)))`;
    const journey = sql`arraySlice(${stops}, 1, ${JOURNEY_STEPS})`;
    const way = direction === 'from' ? after : before;
    return source.server.read<Prefix>(
      sql`SELECT prefix, visits, go_on FROM (
        SELECT prefix, count() AS visits, sum(goes_on) AS go_on, max(visits) OVER () AS total FROM (
          SELECT arrayJoin(arrayMap(n -> (arraySlice(journey, 1, n), n < length(journey)), range(length(journey) + 1))) AS j,
            j.1 AS prefix, j.2 AS goes_on FROM (
            SELECT ${journey} AS journey FROM (
              SELECT if(at = 0, (0, ''), stops[at]) AS came_from, arrayFilter(s -> s.1 > 0, ${way}) AS way FROM (
                SELECT ${at} AS at, arrayMap(e -> ${stop}, ms) AS stops FROM (
                  SELECT *, arrayFilter(e -> ${matching}, es) AS ms FROM ${scan.visits()} WHERE notEmpty(ms))
                WHERE ${anchor ? sql`at > 0` : sql`1`})))) GROUP BY prefix)
      WHERE visits * ${JOURNEYS_A_BRANCH} >= total`,
    );
  });
  const whole = prefixes.find(([stops]) => stops.length === 0);
  if (!whole) return { visits: 0, branches: [] };
  const longer = prefixes.filter((prefix) => prefix !== whole);
  const byBegin = Map.groupBy(longer, ([stops]) => JSON.stringify(stops.slice(0, -1)));
  return { visits: whole[1], branches: branchesOf(whole, byBegin) };
}

/** @param byBegin prefixes by all of their stops but the last */
function branchesOf([stops, , continuing]: Prefix, byBegin: ReadonlyMap<string, Prefix[]>): JourneyBranch[] {
  const branches = (byBegin.get(JSON.stringify(stops)) ?? [])
    .map((prefix): JourneyBranch => {
      const [kind, value] = prefix[0].at(-1) ?? [0, ''];
      return {
        stop: kind === PAGE ? 'page' : 'event',
        value: value || null,
        visits: prefix[1],
        branches: branchesOf(prefix, byBegin),
      };
    })
    .sort((a, b) => b.visits - a.visits || compareText(a.value, b.value) || compareText(b.stop, a.stop));
  const others = branches.reduce((left, { visits }) => left - visits, continuing);
  return others === 0
    ? branches
    : [...branches, { stop: 'other', value: null, visits: others, branches: [] }];
}
