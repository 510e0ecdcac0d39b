const storageKey = 'corral.unfinished-uploads';
/** How many versions and packages are remembered, and how many files of each. */
const maxOwners = 20;
const maxNames = 20;

type Unfinished = Record<string, string[]>;

/** The names of the files whose upload to a version or package this browser began and did not complete, such as when the page was closed. */
export function unfinishedUploads(ownerId: string): readonly string[] {
  return stored()[ownerId] ?? [];
}

/** Remembers the incomplete files of a version or package; an empty list removes it. */
export function rememberUnfinished(ownerId: string, filenames: readonly string[]): void {
  const { [ownerId]: _, ...others } = stored();
  const kept = Object.entries(others).slice(1 - maxOwners);
  const own: [string, string[]][] = filenames.length === 0 ? [] : [[ownerId, filenames.slice(0, maxNames)]];
  try {
    localStorage.setItem(storageKey, JSON.stringify(Object.fromEntries([...kept, ...own])));
  } catch {
    // Storage may be disabled or full; then the notice is missing after a reload.
  }
}

function stored(): Unfinished {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '{}');
    return isUnfinished(value) ? value : {};
  } catch {
    return {};
  }
}

function isUnfinished(value: unknown): value is Unfinished {
  const isNames = (names: unknown) => Array.isArray(names) && names.every((name) => typeof name === 'string');
  return typeof value === 'object' && value !== null && Object.values(value).every(isNames);
}
