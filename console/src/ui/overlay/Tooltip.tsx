import { mergeProps } from '@base-ui/react/merge-props';
import { cloneElement, lazy, type ReactElement, type ReactNode, Suspense, useId } from 'react';
import { loadUntilDone } from '../load-until-done.ts';
import { loadTooltip } from './load-tooltip.ts';
import { useTooltipState } from './use-tooltip-state.ts';

const TooltipPopup = lazy(async () => {
  // Never rejected, and never aborted: a hover while the hub is unreachable shows nothing, and breaks nothing.
  const loaded = await loadUntilDone(loadTooltip, new AbortController().signal);
  return { default: (loaded as Awaited<ReturnType<typeof loadTooltip>>).TooltipPopup };
});

/**
 * A tooltip on hover and focus for `children`, one focusable element. Never the only place of an information. It describes the element,
 * unless `isKnown` says that its name says the same already. Its code is loaded when the first one opens.
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
  const { anchor, isOpen, handlers, popupHandlers, close } = useTooltipState(content !== undefined);
  const { props } = children as ReactElement<{ 'aria-describedby'?: string }>;
  const describedBy =
    isOpen && !isKnown && content !== undefined
      ? `${props['aria-describedby'] ?? ''} ${id}`.trim()
      : undefined;
  return (
    <>
      {cloneElement(children, {
        ...mergeProps(handlers, props),
        ...(describedBy === undefined ? {} : { 'aria-describedby': describedBy }),
      })}
      {anchor !== null && content !== undefined && (
        <Suspense fallback={null}>
          <TooltipPopup {...{ id, anchor, isOpen, side, content }} onClose={close} handlers={popupHandlers} />
        </Suspense>
      )}
    </>
  );
}
