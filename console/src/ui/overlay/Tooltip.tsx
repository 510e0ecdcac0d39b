import { mergeProps } from '@base-ui/react/merge-props';
import { cloneElement, type ReactElement, type ReactNode, useId } from 'react';
import { TooltipPopup } from './TooltipPopup.tsx';
import { useTooltipState } from './use-tooltip-state.ts';

/**
 * A tooltip on hover and focus for `children`, one focusable element. Never the only place of an information. While it is open it
 * describes the element, unless `isKnown` says that the element's name or description says the same already. Its code is part of
 * the page: a hover must not need the hub.
 */
export function Tooltip({
  content,
  children,
  side = 'top',
  isKnown = false,
}: {
  content: ReactNode;
  // oxlint-disable-next-line typescript/no-explicit-any -- any element will do
  children: ReactElement<any>;
  side?: 'top' | 'bottom' | 'inline-start' | 'inline-end' | undefined;
  isKnown?: boolean | undefined;
}) {
  const id = useId();
  const { anchor, isOpen, handlers, popupHandlers, close } = useTooltipState();
  const { props } = children as ReactElement<{ 'aria-describedby'?: string }>;
  const describedBy = isOpen && !isKnown ? `${props['aria-describedby'] ?? ''} ${id}`.trim() : undefined;
  return (
    <>
      {cloneElement(children, {
        ...mergeProps(handlers, props),
        ...(describedBy === undefined ? {} : { 'aria-describedby': describedBy }),
      })}
      {anchor !== null && (
        <TooltipPopup {...{ id, anchor, isOpen, side, content }} onClose={close} handlers={popupHandlers} />
      )}
    </>
  );
}
