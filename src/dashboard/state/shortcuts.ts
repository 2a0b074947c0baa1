import { useLayoutEffect } from 'preact/hooks';
import type { Period } from '../../vocabulary/contract.ts';
import { storage } from '../browser/storage.ts';
import type { OFFERED_PERIODS } from './ranges.ts';

/** Keys of periods, the same as in Plausible. */
export const PERIOD_KEYS: Record<(typeof OFFERED_PERIODS)[number], string> = {
  today: 'D',
  yesterday: 'E',
  '24h': 'H',
  '7d': 'W',
  '28d': 'F',
  '91d': 'N',
  month: 'M',
  lastmonth: 'P',
  year: 'Y',
  '6mo': 'S',
  '12mo': 'L',
  all: 'A',
};

/** Actions of the other keys, named as in `KeyboardEvent.key`. */
export const ACTION_KEYS = {
  r: 'Realtime',
  c: 'Custom range',
  x: 'Toggle comparison',
  i: 'Next chart interval',
  '/': 'Add a filter',
  '.': 'Chart or table',
  '?': 'Show this list',
  Escape: 'Clear filters',
  ArrowLeft: 'Previous period',
  ArrowRight: 'Next period',
} as const;
type ActionKey = keyof typeof ACTION_KEYS;

const OFF_KEY = 'pagemeter.shortcuts';

/** Whether shortcuts are on. Users of speech input, which types letters, can turn them off (WCAG 2.1.4). */
export function areShortcutsOn(): boolean {
  return storage.getItem(OFF_KEY) !== 'off';
}

export function switchShortcuts(isOn: boolean): void {
  if (isOn) storage.removeItem(OFF_KEY);
  else storage.setItem(OFF_KEY, 'off');
}

type Handlers = Record<ActionKey, () => void> & { period: (period: Period) => void };

const PERIOD_OF_KEY = new Map(
  Object.entries(PERIOD_KEYS).map(([period, key]) => [key.toLowerCase(), period as Period]), // its keys are periods
);

/**
 * Calls the handler of a key, unless the user is typing, a dialog is open, or the key has another meaning there.
 *
 * @param isOpening the code of a dialog is loading, so keys are meant for it
 */
export function useShortcuts(handlers: Handlers, isOpening: boolean): void {
  // In a layout effect: a key pressed before an ordinary effect would act on the earlier page.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!isShortcut(event) || (isOpening && event.key !== 'Escape')) return;
      const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
      const period = PERIOD_OF_KEY.get(key);
      if (period) handlers.period(period);
      else if (Object.hasOwn(ACTION_KEYS, key))
        handlers[key as ActionKey](); // it is one of them
      else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  });
}

/** Calls a handler with a pressed digit from 1 to 9, under the same conditions. */
export function useDigits(handle: (digit: number) => void): void {
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!/^[1-9]$/.test(event.key) || !isShortcut(event)) return;
      handle(Number(event.key));
      event.preventDefault();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  });
}

function isShortcut(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return false;
  return areShortcutsOn() && !isTaken(event.target) && !document.querySelector('dialog[open]');
}

function isTaken(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest('input, textarea, select, [contenteditable], .menu-list') !== null
  );
}
