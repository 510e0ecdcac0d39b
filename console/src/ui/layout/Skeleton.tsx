/** A placeholder for text that is loading. `width` is a CSS length. */
export function Skeleton({
  width = '100%',
  height = '0.75rem',
}: {
  width?: string | undefined;
  height?: string | undefined;
}) {
  return (
    <span
      aria-hidden
      className="bordered-when-forced block max-w-full animate-shimmer rounded-control bg-line/70"
      style={{ width, height }}
    />
  );
}
