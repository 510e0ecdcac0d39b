/** Returns a function to call with the hub's version of each answer; it calls `onSkew` once, when the version differs from the first. */
export function createVersionWatch(onSkew: () => void): (version: string) => void {
  let first: string | undefined;
  let hasReported = false;
  return (version) => {
    first ??= version;
    if (version === first || hasReported) return;
    hasReported = true;
    onSkew();
  };
}
