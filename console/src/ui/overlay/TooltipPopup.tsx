import { Tooltip as Base } from '@base-ui/react/tooltip';
import type { ReactNode } from 'react';
import { landmarkOf } from './landmark-of.ts';

/** The popup of a tooltip at `anchor`. */
export function TooltipPopup({
  id,
  anchor,
  isOpen,
  onClose,
  side,
  content,
  handlers,
}: {
  id: string;
  anchor: Element;
  isOpen: boolean;
  onClose: () => void;
  side: 'top' | 'bottom' | 'inline-start' | 'inline-end';
  content: ReactNode;
  handlers: { onPointerEnter: () => void; onPointerLeave: () => void };
}) {
  return (
    <Base.Root open={isOpen} onOpenChange={(next) => (next ? undefined : onClose())}>
      <Base.Portal container={landmarkOf(anchor)}>
        <Base.Positioner anchor={anchor} side={side} sideOffset={6} collisionPadding={8} className="z-50">
          <Base.Popup
            id={id}
            role="tooltip"
            {...handlers}
            className="bordered-when-forced own-direction max-w-72 rounded-control bg-ink px-2 py-1 text-small wrap-anywhere text-canvas shadow-float transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0"
          >
            {content}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
