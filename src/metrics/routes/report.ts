import type { Analytics } from '../../analytics/analytics.ts';
import type { Parameters } from '../../http/parameters.ts';
import { LIST_LIMIT_MAX } from '../../vocabulary/analytics.ts';
import type { WebsiteRow } from '../../websites/store.ts';
import { toRange } from '../answers/wire.ts';
import type { Row, Table } from '../files/format.ts';
import { fileNameOf, respond } from '../files/respond.ts';
import { readFormat, readPage } from '../question/breakdown-parameters.ts';
import { findCountedBy, needsLastingVisitors, requireLastingVisitors } from '../question/counted-by.ts';
import type { Question } from '../question/open-question.ts';
import type { Asked } from '../question/selection.ts';
import type { AskInTurn } from '../question/turns.ts';

type Context = { website: WebsiteRow; inTurn: AskInTurn };

type Report<Opened, Own, Answer, R extends Row> = {
  /** Name of its file, after the website's host. */
  name: string | ((answer: NoInfer<Answer>) => string);
  /** Reads its own parameters. Faults are added to them. */
  read(opened: Opened): Own;
  answer(analytics: Analytics, own: Own): Promise<Answer>;
  toTable(name: string, answer: NoInfer<Answer>): Table<R>;
  /** The next page of a file that has no limit; undefined after the last one. All pages have the same columns. */
  next?(own: Own, answer: NoInfer<Answer>): Own | undefined;
  /** Whether the question is asked before faults are reported, so that a 404 takes precedence. */
  asksFirst?: boolean;
  /** Whether it follows visitors over several days. */
  followsVisitors?: boolean;
};

/**
 * Answers a GET route of a website: reads the parameters, reports their faults, asks the question in turn, and returns JSON
 * or a file.
 *
 * @param opened result of openQuestion, or of openParameters without a range
 */
export async function answerReport<
  Opened extends { parameters: Parameters; asked?: Asked },
  Own,
  Answer extends object,
  R extends Row,
>(
  { website, inTurn }: Context,
  opened: Opened,
  report: Report<Opened, Own, Answer, R>,
): Promise<NoInfer<Answer>> {
  const { name, read, answer, toTable, next, asksFirst = false, followsVisitors = false } = report;
  const { parameters, asked } = opened;
  const own = read(opened);
  const format = readFormat(parameters);
  if (!asksFirst) parameters.finish();
  const { found, engine } = await inTurn(async (analytics) => {
    const countedBy = asked && (await findCountedBy(analytics, website, asked.selection));
    if (followsVisitors) requireLastingVisitors(countedBy, 'period');
    if (needsLastingVisitors(asked?.selection.filter)) requireLastingVisitors(countedBy, 'filters');
    const answered = await answer(analytics, own);
    return {
      found: countedBy && 'range' in answered ? { ...answered, visitorsCountedBy: countedBy } : answered,
      engine: analytics, // waits for its turn with every page
    };
  });
  parameters.finish();
  return respond(format, found, () => {
    const called = typeof name === 'string' ? name : name(found);
    const toPage = (page: Answer) => toTable(fileNameOf(website, called, found), page);
    const table = toPage(found);
    return next ? { ...table, rows: rowsOfPages() } : table;

    async function* rowsOfPages(): AsyncGenerator<R> {
      yield* table.rows;
      for (let at = next?.(own, found); at !== undefined; ) {
        const page = await answer(engine, at);
        yield* toPage(page).rows;
        at = next?.(at, page);
      }
    }
  });
}

/** Rows of one page of a file that has no limit. */
const FILE_PAGE_ROWS = 5_000;
const LIMIT_LENGTH_MAX = 100;

/** Reads which rows to return. A file without a limit has all of them (`isWhole`), read page by page. */
export function readWholePage(parameters: Parameters, limitMax: number, limitDefault?: number) {
  const page = readPage(parameters, limitMax, limitDefault);
  const isWhole =
    readFormat(parameters) !== 'json' && parameters.text('limit', LIMIT_LENGTH_MAX) === undefined;
  return isWhole ? { ...page, limit: FILE_PAGE_ROWS, isWhole } : { ...page, isWhole };
}

/** Reads the parameters that lists of a range share. */
export function readList({ parameters, asked }: Question, limitMax = LIST_LIMIT_MAX) {
  const { isWhole, ...page } = readWholePage(parameters, limitMax);
  const { selection, nowMs, range } = asked;
  // What arrives while a file is read would shift its pages.
  const toMs = isWhole ? Math.min(selection.toMs, nowMs + 1) : selection.toMs;
  return { request: { ...selection, toMs, ...page }, page, range: toRange(range), isWhole };
}

/** Returns the next page of a file that has no limit. */
export function nextPage<Own extends ReturnType<typeof readList>>(
  own: Own,
  { pagination: { total } }: { pagination: { total: number } },
): Own | undefined {
  const offset = own.page.offset + own.page.limit;
  if (!own.isWhole || offset >= total) return undefined;
  return { ...own, request: { ...own.request, offset }, page: { ...own.page, offset } };
}
