/** A progress bar; indeterminate without `value`. */
export function Progress({
  label,
  value,
  max = 100,
}: {
  label: string;
  value?: number | undefined;
  max?: number | undefined;
}) {
  const share = value === undefined ? 1 : Math.min(1, Math.max(0, value / max));
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuenow={value}
      aria-valuemin={0}
      aria-valuemax={max}
      className="bordered-when-forced h-1.5 overflow-hidden rounded-full bg-sunken"
    >
      <div
        className={`h-full origin-left rounded-full bg-denim transition-transform rtl:origin-right filled-when-forced ${value === undefined ? 'animate-shimmer' : ''}`}
        style={{ transform: `scaleX(${share})` }}
      />
    </div>
  );
}
