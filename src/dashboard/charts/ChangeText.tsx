import type { Change } from '../format.ts';

/** A change; its sign says what the colour says. */
export function ChangeText({ change, isBetterLow }: { change: Change; isBetterLow: boolean }) {
  const { direction, text } = change;
  const isWorse = direction === (isBetterLow ? 'up' : 'down');
  const judged = direction === 'same' ? '' : isWorse ? 'change-worse' : 'change-better';
  return <span class={`change ${judged}`}>{text}</span>;
}
