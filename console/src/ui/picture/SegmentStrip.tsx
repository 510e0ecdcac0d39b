import { followClick } from '../action/follow-click.ts';

/** A part of a strip: its name, its size among the others, what it says when pointed at, and where it leads. */
export interface StripSegment {
  readonly name: string;
  readonly size: number;
  readonly title: string;
  readonly href: string;
  /** The class of its fill. */
  readonly fill: string;
}

const minWidth = 10;

/** Parts of a whole in a bar, none narrower than 10 px unless it is empty, as links of the pointer; what it shows must be said beside it. */
export function SegmentStrip({
  segments,
  onOpen,
}: {
  segments: readonly StripSegment[];
  onOpen: (href: string) => void;
}) {
  return (
    <div aria-hidden className="flex h-3.5 gap-0.5">
      {segments.map(
        ({ name, size, title, href, fill }) =>
          size > 0 && (
            <a
              key={name}
              href={href}
              tabIndex={-1}
              title={title}
              onClick={(event) => followClick(event, () => onOpen(href))}
              className={`bordered-when-forced block rounded-[3px] hover:outline-2 hover:outline-offset-1 hover:outline-denim ${fill}`}
              style={{ flexGrow: size, flexBasis: 0, minWidth }}
            />
          ),
      )}
    </div>
  );
}
