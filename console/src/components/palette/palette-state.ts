/** Whether the palette is open, with which text it began, and how often it was opened. */
export type PaletteState = { readonly isOpen: boolean; readonly text: string; readonly count: number };

const listeners = new Set<() => void>();
let state: PaletteState = { isOpen: false, text: '', count: 0 };

/** Opens the command palette, with `text` already typed where somebody looked for it. Does nothing where nobody is signed in. */
export function openPalette(text = ''): void {
  set({ isOpen: true, text, count: state.count + 1 });
}

/** Closes the command palette. */
export function closePalette(): void {
  set({ ...state, isOpen: false });
}

/** Adds a letter to the text that the palette begins with, while it is open and on its way; false while it is closed. */
export function typeAhead(letter: string): boolean {
  if (!state.isOpen) return false;
  set({ ...state, text: state.text + letter });
  return true;
}

/** Whether the palette is open, for `useSyncExternalStore`. */
export function paletteState(): PaletteState {
  return state;
}

/** Calls back when the palette opens or closes; returns the way to stop. */
export function subscribeToPalette(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function set(next: PaletteState): void {
  state = next;
  for (const listener of listeners) listener();
}
