const storageKey = 'corral.last-project';

/** Stores the project that is open in this browser. */
export function rememberProject(projectId: string): void {
  try {
    localStorage.setItem(storageKey, projectId);
  } catch {
    // Storage may be disabled; then there is no last project.
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
