/** A bar that shows used capacity, or with `isProgress` progress. `label` names it; `text` is its value in words. */
export function Meter({
  label,
  value,
  max,
  text,
  isProgress = false,
  isBusy = false,
}: {
  label: string;
  value: number;
  max: number;
  text?: string | undefined;
  isProgress?: boolean | undefined;
  /** Whether it is shown in amber. */
  isBusy?: boolean | undefined;
}) {
  const share = max > 0 ? Math.min(1, Math.max(0, value / max)) : 0;
  return (
    <div
      role={isProgress ? 'progressbar' : 'meter'}
      aria-label={label}
      aria-valuenow={value}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuetext={text}
      className="bordered-when-forced h-1.5 overflow-hidden rounded-full bg-sunken"
    >
      <div
        className={`h-full origin-left rounded-full transition-transform rtl:origin-right filled-when-forced ${isBusy ? 'bg-warn-fill' : share > 0.9 && !isProgress ? 'bg-danger' : 'bg-denim'}`}
        style={{ transform: `scaleX(${share})` }}
      />
    </div>
  );
}
