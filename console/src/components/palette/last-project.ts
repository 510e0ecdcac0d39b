const storageKey = 'corral.last-project';

/** Remembers in this browser which project was open last. */
export function rememberProject(projectId: string): void {
  try {
    localStorage.setItem(storageKey, projectId);
  } catch {
    // Storage may be off; then no project was open last.
  }
}

/** The project that was open last in this browser. */
export function lastProject(): string | undefined {
  try {
    return localStorage.getItem(storageKey) ?? undefined;
  } catch {
    return undefined;
  }
}
