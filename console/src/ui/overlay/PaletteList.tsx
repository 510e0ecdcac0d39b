import { useRender } from '@base-ui/react/use-render';
import { type MouseEvent, useEffect, useRef } from 'react';
import type { PaletteLine, PaletteLines, PalettePress } from './Palette.tsx';
import { itemClass } from './popup-class.ts';

/** The lines of a palette under their headings. The focus stays in the field; `active` is the line that Enter chooses. */
export function PaletteList<Line extends PaletteLine>({
  label,
  listId,
  groups,
  active,
  setActive,
  onChoose,
}: {
  label: string;
  listId: string;
  groups: readonly PaletteLines<Line>[];
  active: number;
  setActive: (index: number) => void;
  onChoose: (line: Line, press: PalettePress) => void;
}) {
  return (
    <div
      id={listId}
      role="listbox"
      aria-label={label}
      className="min-h-0 scroll-py-9 overflow-y-auto overscroll-contain p-1.5 empty:hidden"
    >
      {groups.map(({ id, label: heading, items }, position) => {
        const first = groups.slice(0, position).reduce((count, before) => count + before.items.length, 0);
        return (
          <div key={id} role="group" aria-labelledby={`${listId}-${id}`} className="pb-1.5 last:pb-0">
            <div id={`${listId}-${id}`} className="px-2.5 pt-2 pb-1 text-small text-ink3">
              {heading}
            </div>
            {items.map((line, index) => (
              <Option
                key={line.id}
                id={`${listId}-${first + index}`}
                line={line}
                isActive={active === first + index}
                onPoint={() => setActive(first + index)}
                onChoose={() => onChoose(line, { isShift: false, isNewTab: false })}
              />
            ))}
          </div>
        );
      })}
    </div>
  );
}

function Option({
  id,
  line,
  isActive,
  onPoint,
  onChoose,
}: {
  id: string;
  line: PaletteLine;
  isActive: boolean;
  onPoint: () => void;
  onChoose: () => void;
}) {
  const element = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isActive) element.current?.scrollIntoView?.({ block: 'nearest' });
  }, [isActive]);
  return useRender({
    ...(line.render !== undefined && { render: line.render }),
    ref: element,
    defaultTagName: 'div',
    props: {
      id,
      role: 'option',
      tabIndex: -1,
      draggable: false,
      'aria-selected': isActive,
      // On move, not on enter: lines that scroll below a resting pointer must not become active.
      onPointerMove: isActive ? undefined : onPoint,
      // Keeps the focus in the field.
      onMouseDown: (event: MouseEvent) => (event.button === 0 ? event.preventDefault() : undefined),
      onClick: (event: MouseEvent) => {
        // With a modifier the browser opens the link in a new tab; this page stays unchanged.
        if (line.render === undefined || !hasModifier(event)) onChoose();
      },
      className: `${itemClass} min-h-9 aria-selected:bg-denim-wash`,
      children: line.content,
    },
  });
}

function hasModifier(event: MouseEvent): boolean {
  return event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
}
