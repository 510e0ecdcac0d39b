import { useSyncExternalStore } from 'react';

const storageKey = 'corral.pinned-projects';
const listeners = new Set<() => void>();
let cached: { text: string; ids: ReadonlySet<string> } = { text: '', ids: new Set() };

/** The projects that are pinned in this browser, and `toggle`, which pins or unpins one. */
export function usePinnedProjects(): { pinned: ReadonlySet<string>; toggle: (projectId: string) => void } {
  return { pinned: useSyncExternalStore(subscribe, readPinned), toggle };
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

function readPinned(): ReadonlySet<string> {
  const text = stored();
  if (text !== cached.text) cached = { text, ids: new Set(text.split(' ').filter(Boolean)) };
  return cached.ids;
}

function toggle(projectId: string): void {
  const ids = new Set(readPinned());
  if (!ids.delete(projectId)) ids.add(projectId);
  try {
    localStorage.setItem(storageKey, [...ids].join(' '));
  } catch {
    // Storage may be disabled; then nothing is pinned.
  }
  for (const listener of listeners) listener();
}

function stored(): string {
  try {
    return localStorage.getItem(storageKey) ?? '';
  } catch {
    return '';
  }
}
