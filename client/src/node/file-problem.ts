import { statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname } from 'node:path';

/** Why an operation on a file failed, as the end of a sentence; a refused permission names this user and the owner. */
export function fileProblem(cause: unknown, path: string): string {
  const { code, message } = cause as NodeJS.ErrnoException;
  if (code === 'EROFS') return 'the file system is read-only';
  if (code === 'ENOSPC') return 'no space is left on the disk';
  if (code !== 'EACCES' && code !== 'EPERM') return message;
  const { place, uid } = nearestExisting(path);
  if (uid === process.getuid?.())
    return `the user ${currentUser()} may not access ${place}, whose mode forbids it; change it with chmod`;
  return `the user ${currentUser()} may not access ${place}, which belongs to ${ownerOf(uid)}; run this as that user, or change the owner with chown`;
}

/** The name of the user of this process; its number where it has no name. */
export function currentUser(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'of this process');
  }
}

const ownerOf = (uid: number): string => (uid === 0 ? 'root' : `the user with the id ${uid}`);

/** The file, or the nearest folder above it that exists and may be looked at. */
function nearestExisting(path: string): { place: string; uid: number } {
  for (let place = path; ; place = dirname(place)) {
    try {
      return { place, uid: statSync(place).uid };
    } catch {
      // Not there, or in a folder that may not be entered: the folder tells.
      if (place === dirname(place)) return { place, uid: 0 };
    }
  }
}
