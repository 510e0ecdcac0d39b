import { followClick } from '../action/follow-click.ts';
import { SegmentStrip } from './SegmentStrip.tsx';

/** A part of a bar: a count of devices and their list. */
export interface Segment {
  readonly name: string;
  readonly count: number;
  readonly href: string;
}

// The last step is for all others; v3 and v4 have an edge, since they are pale.
const fills = ['bg-v1', 'bg-v2', 'bg-v3 border border-edge', 'bg-v4 border border-line-strong'];

/** The classes of the same fills of areas. */
export const segmentAreas = ['fill-v1', 'fill-v2', 'fill-v3 stroke-edge', 'fill-v4 stroke-line-strong'];

/** The class of the fill of a segment. */
export const segmentFill = (index: number): string => fills[Math.min(index, fills.length - 1)] ?? '';

/** Parts of a whole in a bar, none narrower than 10 px, those of 0 left out, with all counts as links below; the segments are links of the pointer. */
export function SegmentBar({
  segments,
  onOpen,
}: {
  segments: readonly Segment[];
  onOpen: (href: string) => void;
}) {
  return (
    <div className="flex flex-col gap-1.5">
      <SegmentStrip
        segments={segments.map(({ name, count, href }, index) => ({
          name,
          size: count,
          title: `${name}: ${count.toLocaleString('en')}`,
          href,
          fill: segmentFill(index),
        }))}
        onOpen={onOpen}
      />
      <ul className="flex flex-wrap gap-x-3.5 gap-y-1">
        {segments.map(({ name, count, href }, index) => (
          <li key={name} className="flex min-w-0 items-center gap-1.5 text-small">
            <span
              aria-hidden
              className={`bordered-when-forced size-2 shrink-0 rounded-[2px] ${segmentFill(index)}`}
            />
            <span className="truncate font-mono text-ink2">{name}</span>
            <a
              href={href}
              aria-label={`${count.toLocaleString('en')} ${name}`}
              onClick={(event) => followClick(event, () => onOpen(href))}
              className="number-link"
            >
              {count.toLocaleString('en')}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}
