import { type ReactNode, useRef } from 'react';
import { followClick } from '../action/follow-click.ts';
import { ChartAxis } from './ChartAxis.tsx';
import type { ChartTimes } from './chart-times.ts';
import { type ChartGap, GapList, Gaps } from './Gaps.tsx';
import { ShapeFloat } from './ShapeFloat.tsx';
import { type StackLayer, StackTable } from './StackTable.tsx';
import { useChartCursor } from './use-chart-cursor.ts';
import { useWidth } from './use-width.ts';

const usualWidth = 564;
const top = 8;

/** A layer with its values over time, null where nothing is known, and the list behind it. */
export interface AreaLayer extends StackLayer {
  readonly values: readonly (number | null)[];
  readonly href?: string | undefined;
}

/**
 * Parts of a whole over time as areas that begin at 0, the first layer at the baseline. What is known to be a gap is hatched. `label` says the picture in a sentence, `describe` one step,
 * `nameOf` its time; a table has all numbers for screen readers. Layers are links of the pointer: whoever draws them has the same links as text.
 */
export function StackedAreas({
  label,
  times,
  layers,
  gaps,
  height,
  describe,
  nameOf,
  onOpen,
}: {
  label: string;
  times: ChartTimes;
  layers: readonly AreaLayer[];
  gaps: readonly ChartGap[];
  height: number;
  describe: (step: number) => ReactNode;
  nameOf: (step: number) => string;
  onOpen?: ((href: string) => void) | undefined;
}) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame) || usualWidth;
  const { at, handlers } = useChartCursor(times.steps);
  const bars = Array.from({ length: times.steps }, (_, step) => ({
    name: nameOf(step),
    parts: partsOf(layers, step) ?? null,
  }));
  const x = (at ?? 0) * (width / times.steps);
  return (
    <div ref={frame} className="relative">
      <div role="img" aria-label={label} {...handlers} className="rounded-control">
        <svg
          aria-hidden
          viewBox={`0 0 ${width} ${height}`}
          className="block w-full overflow-visible rtl:-scale-x-100"
          style={{ height }}
        >
          <Layers {...{ layers, times, width, height, onOpen }} />
          <Gaps {...{ times, gaps, width, height }} />
          <line x1="0" x2={width} y1={height} y2={height} className="stroke-line" />
          {at !== undefined && (
            <line
              x1={x + width / times.steps / 2}
              x2={x + width / times.steps / 2}
              y1="0"
              y2={height}
              className="pointer-events-none stroke-denim"
            />
          )}
        </svg>
        <ChartAxis times={times} />
      </div>
      {at !== undefined && (
        <ShapeFloat x={x} y={height + 6} width={width}>
          {describe(at)}
        </ShapeFloat>
      )}
      <GapList gaps={gaps} />
      <StackTable {...{ label, bars, layers }} />
    </div>
  );
}

function Layers({
  layers,
  times: { steps },
  width,
  height,
  onOpen,
}: {
  layers: readonly AreaLayer[];
  times: ChartTimes;
  width: number;
  height: number;
  onOpen?: ((href: string) => void) | undefined;
}) {
  // Sums from the baseline up, of each step.
  const sums = Array.from({ length: steps }, (_, step) => {
    let sum = 0;
    return partsOf(layers, step)?.map((part) => (sum += part));
  });
  const highest = Math.max(1, ...sums.map((parts) => parts?.at(-1) ?? 0));
  const y = (value: number) => round(height - (value / highest) * (height - top));
  const edge = (step: number) => round((step / steps) * width);
  return layers.map(({ name, className, href }, layer) => {
    const path = runsOf(sums)
      .map(({ first, end }) => {
        const line = (of: number) =>
          [first, ...Array.from({ length: end - first }, (_, index) => first + index), end - 1].map(
            (step, index, all) => {
              const at = index === 0 ? edge(first) : index === all.length - 1 ? edge(end) : edge(step + 0.5);
              return `${at} ${y(of < 0 ? 0 : (sums[step]?.[of] ?? 0))}`;
            },
          );
        return `M${line(layer).join('L')}L${line(layer - 1)
          .toReversed()
          .join('L')}z`;
      })
      .join('');
    const area = <path d={path} strokeWidth="1" strokeLinejoin="round" className={className} />;
    if (href === undefined) return <g key={name}>{area}</g>;
    return (
      <a
        key={name}
        href={href}
        tabIndex={-1}
        className="hover:opacity-80"
        onClick={(event) => followClick(event, () => onOpen?.(href))}
      >
        <title>{name}</title>
        {area}
      </a>
    );
  });
}

/** The parts of a step; undefined where one of them is not known. */
function partsOf(layers: readonly AreaLayer[], step: number): number[] | undefined {
  const parts = layers.map(({ values }) => values[step] ?? null).filter((value) => value !== null);
  return parts.length === layers.length ? parts : undefined;
}

/** The runs of steps that are known. */
function runsOf(steps: readonly unknown[]): { readonly first: number; readonly end: number }[] {
  const runs: { first: number; end: number }[] = [];
  for (const [step, value] of steps.entries()) {
    const last = runs.at(-1);
    if (value === undefined) continue;
    if (last?.end === step) last.end = step + 1;
    else runs.push({ first: step, end: step + 1 });
  }
  return runs;
}

const round = (value: number): number => Math.round(value * 10) / 10;
