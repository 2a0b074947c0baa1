import { useState } from 'preact/hooks';
import { storage } from './storage.ts';

/** Light or dark; the system's scheme unless the user chose one. */
export const THEMES = ['auto', 'light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

const KEY = 'pagemeter.theme';

export function currentTheme(): Theme {
  const chosen = storage.getItem(KEY);
  return THEMES.find((theme) => theme === chosen) ?? 'auto';
}

export function applyTheme(theme: Theme): void {
  if (theme === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

let follow: ((theme: Theme) => void) | undefined;

export function setTheme(theme: Theme): void {
  storage.setItem(KEY, theme);
  applyTheme(theme);
  follow?.(theme);
}

export function useTheme(): Theme {
  const [theme, set] = useState(currentTheme);
  follow = set; // one menu shows it
  return theme;
}
