import type { Analytics } from '../../analytics/analytics.ts';
import type { Parameters } from '../../http/parameters.ts';
import { LIST_LIMIT_MAX } from '../../vocabulary/analytics.ts';
import type { WebsiteRow } from '../../websites/store.ts';
import { toRange } from '../answers/wire.ts';
import type { Row, Table } from '../files/format.ts';
import { fileNameOf, respond } from '../files/respond.ts';
import { readFormat, readPage } from '../question/breakdown-parameters.ts';
import type { Question } from '../question/open-question.ts';
import type { AskInTurn } from '../question/turns.ts';

type Context = { website: WebsiteRow; inTurn: AskInTurn };

type Report<Opened, Own, Answer, R extends Row> = {
  /** Name of its file, after the website's host. */
  name: string | ((answer: NoInfer<Answer>) => string);
  /** Reads its own parameters. Faults are added to them. */
  read(opened: Opened): Own;
  answer(analytics: Analytics, own: Own): Promise<Answer>;
  toTable(name: string, answer: NoInfer<Answer>): Table<R>;
  /** Whether the question is asked before faults are reported, so that a 404 takes precedence. */
  asksFirst?: boolean;
};

/**
 * Answers a GET route of a website: reads the parameters, reports their faults, asks the question in turn, and returns JSON
 * or a file.
 *
 * @param opened result of openQuestion, or of openParameters without a range
 */
export async function answerReport<Opened extends { parameters: Parameters }, Own, Answer, R extends Row>(
  { website, inTurn }: Context,
  opened: Opened,
  { name, read, answer, toTable, asksFirst = false }: Report<Opened, Own, Answer, R>,
): Promise<NoInfer<Answer>> {
  const { parameters } = opened;
  const own = read(opened);
  const format = readFormat(parameters);
  if (!asksFirst) parameters.finish();
  const found = await inTurn((analytics) => answer(analytics, own));
  parameters.finish();
  return respond(format, found, () => {
    const report = typeof name === 'string' ? name : name(found);
    return toTable(fileNameOf(website, report, found), found);
  });
}

/** Reads the parameters that lists of a range share. */
export function readList({ parameters, asked }: Question, limitMax = LIST_LIMIT_MAX) {
  const page = readPage(parameters, limitMax);
  return { request: { ...asked.selection, ...page }, page, range: toRange(asked.range) };
}
