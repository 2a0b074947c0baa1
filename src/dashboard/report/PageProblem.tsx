import type { ApiError } from '../api/client.ts';
import { Problem } from '../components/Problem.tsx';
import type { ViewChanges } from '../state/use-view.ts';
import type { ViewState } from '../state/view-state.ts';
import { BadAddress } from './BadAddress.tsx';

type Props = {
  fault: ApiError | undefined;
  onRetry: () => void;
  view: ViewState;
  onChange: (changes: ViewChanges) => void;
};

/** The fault of a page's answer, if any, with a way out. */
export function PageProblem({ fault, onRetry, view, onChange }: Props) {
  if (!fault) return null;
  if (isAboutAddress(fault)) return <BadAddress fault={fault} view={view} onChange={onChange} />;
  return <Problem fault={fault} onRetry={onRetry} />;
}

/** Whether the address asks for something invalid. */
export const isAboutAddress = ({ code }: ApiError) => code === 'VALIDATION_ERROR';
