/** Remembers the hub's version as first heard, and calls `onSkew` once when a later answer names another. */
export function createVersionWatch(onSkew: () => void): (version: string) => void {
  let first: string | undefined;
  let isTold = false;
  return (version) => {
    first ??= version;
    if (version === first || isTold) return;
    isTold = true;
    onSkew();
  };
}
