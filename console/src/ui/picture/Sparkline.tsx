const usualWidth = 160;
const wideWidth = 232;
const height = 32;
const inset = 3;

/** A line through numbers, oldest first, that begins at the lowest of them; `label` says them in words. Nothing for fewer than two. */
export function Sparkline({
  values,
  label,
  isWide = false,
}: {
  values: readonly number[];
  label: string;
  /** Whether it is as wide as its card. */
  isWide?: boolean | undefined;
}) {
  if (values.length < 2) return null;
  const width = isWide ? wideWidth : usualWidth;
  const points = pointsOf(values, width);
  const [lastX, lastY] = points.at(-1) ?? [0, 0];
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${width} ${height}`}
      className={`w-full overflow-visible rtl:-scale-x-100 ${isWide ? 'h-auto' : 'h-8 max-w-40'}`}
    >
      <polyline
        points={points.map((point) => point.join(',')).join(' ')}
        className="fill-transparent stroke-denim"
        strokeWidth="1.5"
        strokeLinejoin="round"
        strokeLinecap="round"
      />
      <circle cx={lastX} cy={lastY} r="2.5" className="fill-denim" />
    </svg>
  );
}

/** The places of the numbers in the picture; equal numbers make a line in the middle. */
function pointsOf(values: readonly number[], width: number): [number, number][] {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const step = (width - 2 * inset) / (values.length - 1);
  return values.map((value, index) => {
    const share = high === low ? 0.5 : (value - low) / (high - low);
    return [round(inset + index * step), round(height - inset - share * (height - 2 * inset))];
  });
}

const round = (value: number): number => Math.round(value * 10) / 10;
