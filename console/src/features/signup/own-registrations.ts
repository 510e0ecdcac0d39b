const storageKey = 'corral.registrations';
const maxKept = 5;

/** Notes a registration that was made in this browser, by the id that its account will have. */
export function noteOwnRegistration(userId: string): void {
  try {
    localStorage.setItem(storageKey, [userId, ...read()].slice(0, maxKept).join(' '));
  } catch {
    // Storage may be disabled; the password is then asked for again.
  }
}

/** Whether a registration was made in this browser, so that its password is that of the person here. */
export function isOwnRegistration(userId: string): boolean {
  return read().includes(userId);
}

function read(): string[] {
  try {
    return (localStorage.getItem(storageKey) ?? '').split(' ').filter(Boolean);
  } catch {
    return [];
  }
}
