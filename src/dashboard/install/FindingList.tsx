import type { ComponentChildren } from 'preact';
import type { Finding } from '../../contract/website-check.ts';
import type { CheckCode, CheckSeverity } from '../../vocabulary/contract.ts';

/** A shape and a word for each grade, so that colour is never the only sign. */
const GRADES: Record<CheckSeverity, { word: string; path: string }> = {
  problem: { word: 'Problem', path: 'M5 5l6 6M11 5l-6 6' },
  warning: { word: 'Warning', path: 'M8 4v5M8 11.6v.1' },
  note: { word: 'Note', path: 'M8 7.2v4.6M8 4.4v.1' },
  good: { word: 'Good', path: 'M4.5 8.5l2.4 2.4 4.6-5.4' },
};

type Props = {
  findings: readonly Finding[];
  /** Buttons that remedy a finding, by its code. */
  actions?: Partial<Record<CheckCode, ComponentChildren>>;
};

/** Findings of a check, the most severe first, each with its remedy. */
export function FindingList({ findings, actions }: Props) {
  return (
    <ul class="findings">
      {findings.map(({ code, severity, message, fix }) => (
        <li key={code} class={`finding is-${severity}`} data-code={code}>
          <svg viewBox="0 0 16 16" width="20" height="20" aria-hidden="true">
            {severity === 'warning' ? <path d="M8 1L15.4 14.5H.6z" /> : <circle cx="8" cy="8" r="7" />}
            <path d={GRADES[severity].path} />
          </svg>
          <div>
            <p>
              <span class="unseen">{GRADES[severity].word}: </span>
              <strong>{message}</strong>
            </p>
            {fix && <p class="quiet-text">{fix}</p>}
            {actions?.[code]}
          </div>
        </li>
      ))}
    </ul>
  );
}
