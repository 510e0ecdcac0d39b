const dayMs = 86_400_000;

/** The noon of a day of UTC, which is of the same day in the zones of most people. */
export const noonOf = (day: string): number => Date.parse(day) + dayMs / 2;

/** The limits of a day of UTC. */
export function limitsOf(day: string): { firedFrom: string; firedBefore: string } {
  const atMs = Date.parse(day);
  return {
    firedFrom: new Date(atMs).toISOString(),
    firedBefore: new Date(atMs + dayMs).toISOString(),
  };
}

/** The day of UTC that is so many days after a time, as 2026-11-20. */
export function dayAfter(from: string, days: number): string {
  return new Date(Date.parse(from) + days * dayMs).toISOString().slice(0, 10);
}
