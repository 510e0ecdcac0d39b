/** The themes that a user can choose; `system` follows the operating system. */
export type ThemeChoice = 'light' | 'dark' | 'system';
/** The height of table rows: 32, 40 or 48 px. */
export type Density = 'compact' | 'default' | 'touch';
/** The zone in which times are shown: that of this machine, or UTC. */
export type TimeZoneChoice = 'local' | 'utc';

const listeners = new Set<() => void>();

/** Reads the chosen theme from the document, where theme-init.js put it before the first paint. */
export function chosenTheme(): ThemeChoice {
  return (document.documentElement.dataset['theme'] ?? 'system') as ThemeChoice;
}

/** Reads the chosen row density from the document. */
export function chosenDensity(): Density {
  return (document.documentElement.dataset['density'] ?? 'default') as Density;
}

/** Whether single-key shortcuts are on, which is the default. */
export function areShortcutsWanted(): boolean {
  return document.documentElement.dataset['shortcuts'] !== 'off';
}

/** Reads the chosen time zone from the document. */
export function chosenTimeZone(): TimeZoneChoice {
  return document.documentElement.dataset['timezone'] === 'utc' ? 'utc' : 'local';
}

/** Applies a theme at once and remembers it in this browser. */
export function chooseTheme(choice: ThemeChoice): void {
  remember('theme', choice);
}

/** Applies a row density at once and remembers it in this browser. */
export function chooseDensity(density: Density): void {
  remember('density', density);
}

/** Turns single-key shortcuts on or off at once and remembers it in this browser. */
export function chooseShortcuts(areWanted: boolean): void {
  remember('shortcuts', areWanted ? 'on' : 'off');
}

/** Shows times in a zone at once and remembers it in this browser. */
export function chooseTimeZone(zone: TimeZoneChoice): void {
  remember('timezone', zone);
}

/** Calls `listener` whenever theme, density, time zone or shortcuts change. Returns a function that unsubscribes. */
export function subscribeToAppearance(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function remember(key: 'theme' | 'density' | 'timezone' | 'shortcuts', value: string): void {
  document.documentElement.dataset[key] = value;
  try {
    localStorage.setItem(`corral.${key}`, value);
  } catch {
    // Storage may be disabled; the choice then lasts until the page is closed.
  }
  for (const listener of listeners) listener();
}
