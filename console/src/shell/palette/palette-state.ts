/** Whether the palette is open, its initial text, and how often it was opened. */
export type PaletteState = { readonly isOpen: boolean; readonly text: string; readonly count: number };

const listeners = new Set<() => void>();
let state: PaletteState = { isOpen: false, text: '', count: 0 };

/** Opens the command palette with an initial text. Has no effect on pages without the shell. */
export function openPalette(text = ''): void {
  set({ isOpen: true, text, count: state.count + 1 });
}

/** Closes the command palette. */
export function closePalette(): void {
  set({ ...state, isOpen: false });
}

/** Appends a letter to the initial text while the palette is open and its code loads; false while it is closed. */
export function typeAhead(letter: string): boolean {
  if (!state.isOpen) return false;
  set({ ...state, text: state.text + letter });
  return true;
}

/** Whether the palette is open, for `useSyncExternalStore`. */
export function paletteState(): PaletteState {
  return state;
}

/** Calls `listener` when the palette opens or closes. Returns a function that unsubscribes. */
export function subscribeToPalette(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function set(next: PaletteState): void {
  state = next;
  for (const listener of listeners) listener();
}
