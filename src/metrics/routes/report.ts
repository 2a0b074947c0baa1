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
  /** Of its file, behind the host of the website. */
  name: string | ((answer: NoInfer<Answer>) => string);
  /** Its own parameters. Faults are left with them. */
  read(opened: Opened): Own;
  answer(analytics: Analytics, own: Own): Promise<Answer>;
  toTable(name: string, answer: NoInfer<Answer>): Table<R>;
  /** What is wrong with the parameters is said after a 404. */
  asksFirst?: boolean;
};

/**
 * Answers a GET route of a website: reads the parameters, says what is wrong with them, asks when its turn has come, and
 * gives JSON or a file.
 *
 * @param opened by openQuestion, or openParameters where there is no range
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

/** What lists of a range have in common. */
export function readList({ parameters, asked }: Question, limitMax = LIST_LIMIT_MAX) {
  const page = readPage(parameters, limitMax);
  return { request: { ...asked.selection, ...page }, page, range: toRange(asked.range) };
}
