import type { AccessRules } from '../../access/access.ts';
import type { Accounts } from '../../accounts/service.ts';
import type { Db } from '../../db/open.ts';
import type { AnswerBudget } from '../../http/answer-budget.ts';
import type { Bodies } from '../../http/bodies.ts';
import type { ShareLinks } from '../../saved/share-links.ts';
import type { Websites } from '../../websites/service.ts';
import type { LiveStreams } from '../live/streams.ts';
import type { QuestionDeps } from '../question/open-question.ts';
import type { SharedAnswers } from '../question/shared-answers.ts';
import type { QuestionTurns } from '../question/turns.ts';

/** Dependencies of the routes of metrics. */
export type MetricsDeps = QuestionDeps & {
  /** Records what is erased. */
  db: Db;
  accounts: Accounts;
  websites: Websites;
  links: ShareLinks;
  access: AccessRules;
  bodies: Bodies;
  turns: QuestionTurns;
  shared: SharedAnswers;
  streams: LiveStreams;
  answerBudget: AnswerBudget;
};
