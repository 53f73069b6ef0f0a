// Light or dark: as the desktop has it, unless people choose.
import {Events} from '../data/events';

export type Theme = 'auto' | 'light' | 'dark';

const KEY = 'mortise theme', desktop = matchMedia('(prefers-color-scheme: dark)');

function chosenTheme(): Theme {
  try {
    const kept = localStorage.getItem(KEY);
    return kept === 'light' || kept === 'dark' ? kept : 'auto';
  } catch {
    return 'auto';
  }
}

let theme = chosenTheme();

/** `change`: whether the page is dark now. */
export const themeEvents = new Events<{change: boolean}>();

export const isDark = (): boolean => (theme === 'auto' ? desktop.matches : theme === 'dark');

function apply(): void {
  document.documentElement.dataset.theme = isDark() ? 'dark' : 'light';
  themeEvents.emit('change', isDark());
}

/** The other one; where the desktop has it like that, the page follows the desktop again. */
export function switchTheme(): void {
  const dark = !isDark();
  theme = dark === desktop.matches ? 'auto' : dark ? 'dark' : 'light';
  try {
    if (theme === 'auto') localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, theme);
  } catch {
    // Then it is so until the page is loaded again.
  }
  apply();
}

/** Styles the page from now on. */
export function startTheme(): void {
  desktop.addEventListener('change', apply);
  apply();
}
