import { Menu as Base } from '@base-ui/react/menu';
import { type ReactElement, type ReactNode, useRef } from 'react';
import { useLandmark } from './landmark-of.ts';
import { backdropClass, menuClass, sheetPositionClass } from './popup-class.ts';
import { Tooltip } from './Tooltip.tsx';

/** A menu below its `trigger`, a single button element; on phones a sheet at the bottom edge. Its children are MenuItem, MenuLink, MenuLabel and MenuSeparator. */
export function Menu({
  trigger,
  children,
  align = 'end',
  label,
  hint,
  isOpenAtFirst = false,
}: {
  trigger: ReactElement;
  children: ReactNode;
  align?: 'start' | 'end' | undefined;
  label?: string | undefined;
  /** The tooltip of the trigger, which says its name. */
  hint?: ReactNode;
  isOpenAtFirst?: boolean | undefined;
}) {
  const anchor = useRef<HTMLButtonElement>(null);
  const landmark = useLandmark(anchor);
  return (
    <Base.Root defaultOpen={isOpenAtFirst}>
      <Tooltip content={hint} side="inline-end" isKnown>
        <Base.Trigger ref={anchor} render={trigger} />
      </Tooltip>
      <Base.Portal container={landmark}>
        <Base.Backdrop className={`${backdropClass} sm:hidden`} />
        <Base.Positioner
          align={align}
          sideOffset={4}
          collisionPadding={8}
          className={`z-40 outline-none ${sheetPositionClass}`}
        >
          <Base.Popup data-sheet aria-label={label} className={`${menuClass} outline-none`}>
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
