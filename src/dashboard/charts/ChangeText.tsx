import type { Change } from '../state/format.ts';

/** A change: which way by its sign and an arrow, whether that is good by its colour, and grey when it is hardly one. */
export function ChangeText({ change, isBetterLow }: { change: Change; isBetterLow: boolean }) {
  const { direction, text } = change;
  const isWorse = direction === (isBetterLow ? 'up' : 'down');
  const judged = direction === 'same' ? '' : isWorse ? 'change-worse' : 'change-better';
  return <span class={`change change-${direction} ${judged}`}>{text}</span>;
}
