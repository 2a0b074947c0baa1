import type { ComponentChildren } from 'preact';
import type { Period } from '../../vocabulary/contract.ts';
import type { Query } from '../api/client.ts';
import type { AnswerState } from '../api/use-answer.ts';
import { useTitle } from '../browser/use-title.ts';
import { Boundary } from '../components/Boundary.tsx';
import { WebsiteFrame } from '../website/WebsiteFrame.tsx';
import { PageProblem } from './PageProblem.tsx';
import { ReportTools } from './ReportTools.tsx';
import type { Page } from './use-page.ts';

type Props = {
  page: Page;
  title: string;
  /** Next to the title. */
  head?: ComponentChildren;
  /** Description of the report, below the title. */
  about?: ComponentChildren;
  /** Path in the API that the CSV file comes from: `sessions`. */
  list: string;
  /** Parameters of the file besides period and filters. */
  question?: Query;
  /** Periods that are offered; all of them by default. */
  periods?: readonly Period[];
  /** Choices that belong to this report alone. */
  form?: ComponentChildren;
  /** Answers that the page needs; the first fault among them is shown. */
  answers: readonly Pick<AnswerState<unknown>, 'fault' | 'retry'>[];
  children: ComponentChildren;
};

/** A report of a website: title, filters, period and file, the report's own choices, and what it shows. */
export function ReportPage({
  page,
  title,
  head,
  about,
  list,
  question,
  periods,
  form,
  answers,
  children,
}: Props) {
  const { place, profile, view, change } = page;
  useTitle(title);
  const failed = answers.find(({ fault }) => fault);
  return (
    <WebsiteFrame place={place} profile={profile.answer}>
      <div class="page">
        <div class="page-head">
          <h1>{title}</h1>
          {head}
        </div>
        {about && <p class="quiet-text about">{about}</p>}
        <ReportTools
          place={place}
          view={view}
          list={list}
          question={question}
          periods={periods}
          onChange={change}
        />
        {form}
        {failed && <PageProblem fault={failed.fault} onRetry={failed.retry} view={view} onChange={change} />}
        <Boundary>{children}</Boundary>
      </div>
    </WebsiteFrame>
  );
}

type CardProps = {
  /** Classes besides `card`. */
  class: string;
  label?: string;
  of: Pick<AnswerState<unknown>, 'isLoading' | 'isOld'>;
  children: ComponentChildren;
};

/** A card that shows an answer; faded while the answer is that of an earlier question. */
export function ReportCard({ class: className, label, of: { isLoading, isOld }, children }: CardProps) {
  return (
    <section class={`card ${className} ${isOld ? 'old' : ''}`} aria-label={label} aria-busy={isLoading}>
      {children}
    </section>
  );
}
