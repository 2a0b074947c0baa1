import { fieldsOf, join, type Sql, sql } from '../../../log/clickhouse/sql.ts';
import { toTypeCode } from '../../../log/event-type.ts';
import { FUNNEL_NEXT_MAX } from '../../../vocabulary/analytics.ts';
import type { FunnelAnswer, FunnelRequest } from '../../analytics.ts';
import { compareText } from '../../derive/text.ts';
import { ask, toScope } from '../ask.ts';
import type { Source } from '../read-window.ts';
import { AT, createScan, EVENT, TYPE } from '../scan.ts';

const CLICK = toTypeCode('click');
/** Earlier than every instant: no attempt has reached a step. */
const NEVER = sql`toInt64(-9000000000000000000)`;

type Row = [part: number, value: string, depth: number, units: number];

export function answerFunnel(request: FunnelRequest, source: Source): Promise<FunnelAnswer> {
  const { steps, bounds, dimension } = request;
  return ask(source, toScope(request), async (window) => {
    const rows = await source.server.read<Row>(toStatement(request, createScan(window)));
    const ofPart = (part: number) => rows.filter(([own]) => own === part);
    const reachedBy = (own: readonly Row[]) =>
      steps.map((_, step) => own.reduce((sum, [, , depth, units]) => sum + (depth > step ? units : 0), 0));
    const groups = Map.groupBy(ofPart(GROUPS), ([, value]) => value);
    return {
      reached: reachedBy(ofPart(WHOLE)),
      next: steps.slice(1).map((_, step) =>
        ofPart(NEXT)
          .filter(([, , depth]) => depth === step + 1)
          .map(([, value, , count]) => ({ value: value || null, count }))
          .sort((a, b) => b.count - a.count || compareText(a.value, b.value))
          .slice(0, FUNNEL_NEXT_MAX),
      ),
      ...(bounds && {
        points: bounds
          .slice(0, -1)
          .map((startMs) => reachedBy(ofPart(POINTS).filter(([, value]) => value === String(startMs)))),
      }),
      ...(dimension && {
        groups: [...groups]
          .map(([value, own]) => ({ value: value || null, reached: reachedBy(own) }))
          .sort((a, b) => (b.reached[0] ?? 0) - (a.reached[0] ?? 0) || compareText(a.value, b.value)),
      }),
    };
  });
}

const [WHOLE, NEXT, POINTS, GROUPS] = [0, 1, 2, 3];

/** Names the elements of a tuple of a matching event: its visit's next page, and the value to group by, included. */
const fieldsOfStep = (event: Sql) => fieldsOf(event, ['at', 'order', 'type', 'meets', 'next', 'value']);
const U = fieldsOfStep(sql`u`);
const ENTRY = fieldsOfStep(sql`entry`);
const NEXT_PAGE = fieldsOf(sql`n`, ['isPage', 'page']);
/** For each step: the latest start of the attempts that reached it, and the number of the event that reached it first. */
const ACC = fieldsOf(sql`acc`, ['starts', 'reachedBy']);
const T = fieldsOf(sql`t`, ['part', 'value', 'depth']);

/**
 * Keeps for each step, event by event, the latest start of the attempts that reached it, because that attempt has the most
 * time left, and the event by which the first attempt reached it. In strict order, every event except a click ends waiting
 * attempts.
 */
function toStatement(request: FunnelRequest, scan: ReturnType<typeof createScan>): Sql {
  const { steps, by, windowMs, isStrict = false, bounds = [], dimension } = request;
  const page = scan.value('page');
  const value = dimension ? scan.value(dimension) : sql`''`;
  const meets = steps.map((step) => sql`toUInt8(${scan.passes(step)})`);
  const matching = scan.matches(request);
  // The visit's next pageview, whether it matches or not.
  const pages = sql`arrayMap(e -> (${TYPE} = 0, ${page}), es)`;
  const next = sql`arrayReverseFill(n -> ${NEXT_PAGE.isPage} = 1, arrayPopFront(arrayPushBack(${pages}, (0, ''))))`;
  const events = sql`arrayMap((e, n) -> (${AT}, (${EVENT.key}, ${EVENT.id}), ${TYPE}, [${join(meets, ', ')}], ${NEXT_PAGE.page}, ${value}),
    arrayFilter((e, n) -> ${matching}, es, next), arrayFilter((n, e) -> ${matching}, next, es))`;
  // Folding is slow: each event of the longest unit is a step for all units. In loose order, events that meet no step
  // change nothing, so they are skipped.
  const walkedBy = isStrict ? sql`units` : sql`arrayFilter(u -> has(${U.meets}, 1), units)`;
  const none = sql`arrayResize(emptyArrayInt64(), ${steps.length}, ${NEVER})`;
  const waiting = isStrict ? sql`if(${U.type} = ${CLICK}, b, ${NEVER})` : sql`b`;
  const isInTime = windowMs === undefined ? sql`1` : sql`${U.at} - p <= ${windowMs}`;
  const best = sql`arrayMap((b, p, m) -> if(m AND p != ${NEVER} AND ${isInTime}, greatest(p, ${waiting}), ${waiting}),
    ${ACC.starts}, arrayPushFront(arrayPopBack(${ACC.starts}), ${U.at}), ${U.meets})`;
  const walked = sql`arrayFold(
    (acc, u, i) -> (${best}, arrayMap((f, b) -> if(f = 0 AND b != ${NEVER}, i, f), ${ACC.reachedBy}, ${best})),
    us, arrayEnumerate(us), (${none}, arrayResize(emptyArrayUInt32(), ${steps.length}, 0)))`;
  const starts = bounds.map((ms) => sql`toInt64(${ms})`);
  const [first, last] = [bounds[0], bounds.at(-1)];
  const parts = [
    sql`[(${WHOLE}, '', depth)]`,
    sql`if(depth < ${steps.length}, [(${NEXT}, ${fieldsOfStep(sql`us[reached_by]`).next}, depth)], [])`,
    ...(bounds.length > 1 && first !== undefined && last !== undefined
      ? [
          sql`if(${ENTRY.at} >= ${first} AND ${ENTRY.at} < ${last},
            [(${POINTS}, toString(roundDown(${ENTRY.at}, ${starts})), depth)], [])`,
        ]
      : []),
    ...(dimension ? [sql`[(${GROUPS}, ${ENTRY.value}, depth)]`] : []),
  ];
  const unit = by === 'visit' ? sql`(visitor_id, visit)` : sql`visitor_id`;
  return sql`SELECT ${T.part} AS part, ${T.value} AS value, ${T.depth} AS depth, count() FROM (
    SELECT arrayJoin(arrayConcat(${join(parts, ', ')})) AS t FROM (
      SELECT us, us[walked[1]] AS entry, toUInt8(arrayCount(f -> f > 0, walked)) AS depth,
        arrayMax(walked) AS reached_by FROM (
        SELECT us, ${walked}.2 AS walked FROM (
          SELECT arraySort(u -> (${U.at}, ${U.order}), arrayFlatten(groupArray(${walkedBy}))) AS us FROM (
            SELECT ${unit} AS unit, ${events} AS units FROM (
              SELECT *, ${next} AS next FROM ${scan.visits()}))
          GROUP BY unit HAVING arrayExists(u -> ${U.meets}[1], us)))))
  GROUP BY part, value, depth`;
}
