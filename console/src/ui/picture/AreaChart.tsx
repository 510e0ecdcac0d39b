import { type ReactNode, useRef } from 'react';
import { ChartAxis } from './ChartAxis.tsx';
import type { ChartTimes } from './chart-times.ts';
import { type ChartGap, GapList, Gaps } from './Gaps.tsx';
import { ShapeFloat } from './ShapeFloat.tsx';
import { useChartCursor } from './use-chart-cursor.ts';
import { useWidth } from './use-width.ts';

const usualHeight = 100;
const top = 8;
const usualWidth = 564;

interface Area {
  readonly times: ChartTimes;
  readonly values: readonly (number | null)[];
  /** What the number cannot be above, as the number of devices. */
  readonly limit: number;
  readonly gaps: readonly ChartGap[];
  /** In pixels. */
  readonly height?: number;
}

/**
 * A number over time as an area that begins at 0, with its last value as a dot and `limit` as a dotted line. Steps without a value are left out,
 * and what is known to be a gap is hatched. `label` says the picture in a sentence, `describe` one step; a click or Enter opens it.
 */
export function AreaChart({
  label,
  describe,
  onOpen,
  ...area
}: Area & {
  label: string;
  describe: (step: number) => ReactNode;
  onOpen: () => void;
}) {
  const { times, values, gaps } = area;
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame) || usualWidth;
  const { at, handlers } = useChartCursor(values.length, onOpen);
  return (
    <div ref={frame} className="relative">
      <div role="img" aria-label={label} {...handlers} className="cursor-pointer rounded-control">
        <AreaPicture {...area} {...{ width, at }} />
        <ChartAxis times={times} />
      </div>
      {at !== undefined && (
        <ShapeFloat x={xOf(at, values.length, width)} y={-36} width={width}>
          {describe(at)}
        </ShapeFloat>
      )}
      <GapList gaps={gaps} />
    </div>
  );
}

function AreaPicture({
  times,
  values,
  limit,
  gaps,
  height = usualHeight,
  width,
  at,
}: Area & { width: number; at: number | undefined }) {
  const highest = Math.max(1, limit, ...values.map((value) => value ?? 0));
  const x = (step: number) => xOf(step, values.length, width);
  const y = (value: number) => round(height - (value / highest) * (height - top));
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${width} ${height}`}
      className="block w-full overflow-visible rtl:-scale-x-100"
      style={{ height }}
    >
      {linesOf(values, x, y).map(({ first, last, path }) => (
        <g key={first}>
          <path d={`${path}V${height}H${first}z`} className="fill-ok-soft" />
          <path
            d={first === last ? `${path}h1` : path}
            className="fill-none stroke-ok-fill"
            strokeWidth="1.5"
            strokeLinejoin="round"
            strokeLinecap="round"
          />
        </g>
      ))}
      <line
        x1="0"
        x2={width}
        y1={y(limit)}
        y2={y(limit)}
        className="stroke-line-strong"
        strokeDasharray="2 3"
      />
      <Gaps {...{ times, gaps, width, height }} />
      <line x1="0" x2={width} y1={height} y2={height} className="stroke-line" />
      <Point x={x(values.length - 1)} value={values.at(-1)} y={y} className="fill-ok-fill" />
      {at !== undefined && (
        <>
          <line x1={x(at)} x2={x(at)} y1="0" y2={height} className="stroke-denim" />
          <Point x={x(at)} value={values[at]} y={y} className="fill-surface stroke-denim stroke-2" />
        </>
      )}
    </svg>
  );
}

function Point({
  x,
  y,
  value,
  className,
}: {
  x: number;
  y: (value: number) => number;
  value: number | null | undefined;
  className: string;
}) {
  return typeof value === 'number' && <circle cx={x} cy={y(value)} r="3.5" className={className} />;
}

interface Line {
  readonly first: number;
  last: number;
  path: string;
}

/** The lines through values that follow each other, with the places where each begins and ends. */
function linesOf(
  values: readonly (number | null)[],
  x: (step: number) => number,
  y: (value: number) => number,
): Line[] {
  const lines: Line[] = [];
  let isOpen = false;
  for (const [step, value] of values.entries()) {
    const line = lines.at(-1);
    if (typeof value !== 'number') isOpen = false;
    else if (isOpen && line !== undefined) {
      line.path += `L${x(step)} ${y(value)}`;
      line.last = x(step);
    } else {
      lines.push({ first: x(step), last: x(step), path: `M${x(step)} ${y(value)}` });
      isOpen = true;
    }
  }
  return lines;
}

const xOf = (step: number, steps: number, width: number): number =>
  round(((step + 0.5) / Math.max(1, steps)) * width);

const round = (value: number): number => Math.round(value * 10) / 10;
