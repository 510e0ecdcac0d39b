/** Each file has a key of its own, so that tabs that write at the same time do not overwrite each other's files. */
const prefix = 'corral.unfinished-upload ';
/** As many as a version can have; beyond that the oldest are forgotten. */
const maxFiles = 1000;

/** The names of the files whose upload to a version or package this browser began and did not complete, such as when the page was closed; the oldest first. */
export function unfinishedUploads(ownerId: string): readonly string[] {
  const start = keyOf(ownerId, '');
  const own = keysByAge().filter((key) => key.startsWith(start));
  return own.map((key) => key.slice(start.length));
}

/** Whether the upload of a file is among `unfinishedUploads`. */
export function isUnfinishedUpload(ownerId: string, filename: string): boolean {
  try {
    return localStorage.getItem(keyOf(ownerId, filename)) !== null;
  } catch {
    return false;
  }
}

/** Remembers files whose upload to a version or package begins. */
export function rememberUnfinished(ownerId: string, filenames: readonly string[]): void {
  try {
    for (const filename of filenames) localStorage.setItem(keyOf(ownerId, filename), String(Date.now()));
    for (const key of keysByAge().slice(0, -maxFiles)) localStorage.removeItem(key);
  } catch {
    // Storage may be disabled or full; then the notice is missing after a reload.
  }
}

/** Forgets files of a version or package; other files stay remembered. */
export function forgetUnfinished(ownerId: string, filenames: readonly string[]): void {
  try {
    for (const filename of filenames) localStorage.removeItem(keyOf(ownerId, filename));
  } catch {
    // Storage is disabled; then nothing is remembered.
  }
}

/** Calls the listener with each file that another tab forgets, and the version or package that it is of. */
export function onForgottenElsewhere(listener: (ownerId: string, filename: string) => void): void {
  // The browser sends it to the other tabs only.
  window.addEventListener('storage', ({ key, newValue }) => {
    if (newValue !== null || key?.startsWith(prefix) !== true) return;
    const [ownerId = '', ...words] = key.slice(prefix.length).split(' ');
    listener(ownerId, words.join(' '));
  });
}

/** Ids have no spaces. */
const keyOf = (ownerId: string, filename: string): string => `${prefix}${ownerId} ${filename}`;

/** The keys of all remembered files, the oldest first, those of the same time by name. */
function keysByAge(): string[] {
  try {
    const keys = Object.keys(localStorage).filter((key) => key.startsWith(prefix));
    const aged = keys.map((key) => ({ key, begunAt: Number(localStorage.getItem(key)) }));
    aged.sort((a, b) => a.begunAt - b.begunAt || (a.key < b.key ? -1 : 1));
    return aged.map(({ key }) => key);
  } catch {
    return [];
  }
}
