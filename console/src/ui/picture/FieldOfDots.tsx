import { type HTMLAttributes, type ReactNode, useMemo, useRef, useState } from 'react';
import type { Dots } from './condensed-dots.ts';
import { DotCanvas } from './DotCanvas.tsx';
import { DotPaths } from './DotPaths.tsx';
import { type FieldGroup, FieldHeads, FieldTable, textWidth } from './FieldHeads.tsx';
import { centreOf, dotAt, type FieldLayout, type FieldPlace, layoutField, moved } from './field-layout.ts';
import { followClick } from '../action/follow-click.ts';
import { ShapeFloat } from './ShapeFloat.tsx';
import { useWidth } from './use-width.ts';

/** Up to here the dots are SVG, above it they are on a canvas. */
const maxSvgDots = 2000;
const headHeight = 44;
/** Where nothing is measured, as in tests of components. */
const usualWidth = 946;

/**
 * The devices of a fleet as dots in groups, each with its head, which is a link. `label` says the picture in a sentence; a table of the groups is
 * beside it for screen readers. It is one stop of the Tab key; in it arrow keys move, Page keys go from group to group, and Enter opens.
 */
export function FieldOfDots({
  label,
  groups,
  dots,
  onOpen,
  onOpenDot,
  describe,
}: {
  label: string;
  groups: readonly FieldGroup[];
  dots: Dots;
  /** Opens the list of a group. */
  onOpen: (href: string) => void;
  /** Opens the device of a dot, counted from the first of all. */
  onOpenDot: (dot: number) => void;
  /** What a dot is. */
  describe: (dot: number) => ReactNode;
}) {
  const frame = useRef<HTMLDivElement>(null);
  const picture = useRef<HTMLDivElement>(null);
  const width = useWidth(frame) || usualWidth;
  const [at, setAt] = useState<FieldPlace>();
  const layout = useMemo(() => {
    const scale = rootScale();
    const sized = groups.map((group, index) => ({
      size: dots.sizes[index] ?? 0,
      minWidth: Math.ceil(textWidth(group) * scale),
    }));
    return layoutField(sized, width, headHeight * scale);
  }, [groups, dots.sizes, width]);
  const pointed = at !== undefined && isIn(layout, at) ? at : undefined;
  function open(place: FieldPlace): void {
    if (place.dot < 0 || dots.devicesPerDot > 1) onOpen(groups[place.group]?.href ?? '');
    else onOpenDot((layout.groups[place.group]?.first ?? 0) + place.dot);
  }
  function placeOf({ clientX, clientY }: { clientX: number; clientY: number }): FieldPlace | undefined {
    const { left, right, top } = picture.current?.getBoundingClientRect() ?? new DOMRect();
    const fromStart = isRightToLeft(picture.current) ? right - clientX : clientX - left;
    return dotAt(layout, fromStart, clientY - top);
  }
  const handlers: HTMLAttributes<HTMLElement> = {
    tabIndex: 0,
    onFocus: () => setAt((before) => before ?? { group: 0, dot: -1 }),
    onBlur: () => setAt(undefined),
    onPointerMove: (event) => setAt(placeOf(event)),
    onPointerLeave: () => setAt(undefined),
    onClick: (event) => {
      const place = placeOf(event);
      if (place !== undefined) followClick(event, () => open(place));
    },
    onKeyDown: (event) => {
      if (pointed === undefined || event.metaKey || event.ctrlKey || event.altKey) return;
      const forward = isRightToLeft(picture.current) ? 'ArrowLeft' : 'ArrowRight';
      const next = moved(layout, pointed, event.key, forward);
      if (event.key === 'Enter') open(pointed);
      else if (next !== undefined) setAt(next);
      else return;
      event.preventDefault();
    },
  };
  const Picture = dots.states.length <= maxSvgDots ? DotPaths : DotCanvas;
  return (
    <div ref={frame} className="relative">
      <div
        ref={picture}
        role="img"
        aria-label={label}
        {...handlers}
        className={`rounded-control ${pointed !== undefined && pointed.dot >= 0 ? 'cursor-pointer' : ''}`}
      >
        <Picture layout={layout} states={dots.states} width={width} />
      </div>
      <FieldHeads {...{ groups, layout, onOpen }} headHeight={headHeight * rootScale()} />
      {pointed !== undefined && (
        <Pointer {...{ layout, width, groups, describe }} at={pointed} isExact={dots.devicesPerDot === 1} />
      )}
      <FieldTable {...{ label, groups, onOpen }} />
    </div>
  );
}

/** A ring around what is pointed at, and what it is. */
function Pointer({
  at,
  layout,
  width,
  groups,
  describe,
  isExact,
}: {
  at: FieldPlace;
  layout: FieldLayout;
  width: number;
  groups: readonly FieldGroup[];
  describe: (dot: number) => ReactNode;
  isExact: boolean;
}) {
  const placed = layout.groups[at.group];
  const group = groups[at.group];
  if (placed === undefined || group === undefined) return null;
  const isHead = at.dot < 0;
  const [x, y] = isHead ? [placed.x, placed.y] : centreOf(placed, at.dot, layout.pitch);
  const radius = Math.max(6, layout.pitch * 0.72);
  const ring = isHead
    ? { top: y - 42, insetInlineStart: x - 4, width: placed.width + 8, height: 40 }
    : { top: y - radius, insetInlineStart: x - radius, width: 2 * radius, height: 2 * radius };
  return (
    <>
      <span
        aria-hidden
        className={`pointer-events-none absolute border-2 border-denim ${isHead ? 'rounded-control' : 'rounded-full'}`}
        style={ring}
      />
      <ShapeFloat x={x} y={y + (isHead ? 6 : radius + 4)} width={width}>
        {isHead || !isExact ? group.summary : describe(placed.first + at.dot)}
      </ShapeFloat>
    </>
  );
}

const isIn = ({ groups }: FieldLayout, { group, dot }: FieldPlace): boolean =>
  dot < (groups[group]?.size ?? -1);

const isRightToLeft = (element: Element | null): boolean =>
  element !== null && getComputedStyle(element).direction === 'rtl';

/** How much larger than usual the user has texts. */
const rootScale = (): number => parseFloat(getComputedStyle(document.documentElement).fontSize) / 16 || 1;
