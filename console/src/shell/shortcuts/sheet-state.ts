const listeners = new Set<() => void>();
let isOpen = false;

/** Opens the sheet of keyboard shortcuts. */
export function openSheet(): void {
  setSheet(true);
}

/** Opens or closes the sheet of keyboard shortcuts. */
export function setSheet(next: boolean): void {
  isOpen = next;
  for (const listener of listeners) listener();
}

/** Whether the sheet is open, for `useSyncExternalStore`. */
export function isSheetOpen(): boolean {
  return isOpen;
}

/** Calls `listener` when the sheet opens or closes. Returns a function that unsubscribes. */
export function subscribeToSheet(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
