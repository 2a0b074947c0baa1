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

/** Why a page shows no answer to what its address asks, if there is a reason, and what to do about it. */
export function PageProblem({ fault, onRetry, view, onChange }: Props) {
  if (!fault) return null;
  if (isAboutAddress(fault)) return <BadAddress fault={fault} view={view} onChange={onChange} />;
  return <Problem fault={fault} onRetry={onRetry} />;
}

/** The address asks for what cannot be. */
export const isAboutAddress = ({ code }: ApiError) => code === 'VALIDATION_ERROR';
