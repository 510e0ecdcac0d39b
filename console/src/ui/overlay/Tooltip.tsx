import { mergeProps } from '@base-ui/react/merge-props';
import { cloneElement, lazy, type ReactElement, type ReactNode, Suspense } from 'react';
import { loadTooltip } from './load-tooltip.ts';
import { useTooltipState } from './use-tooltip-state.ts';

const TooltipPopup = lazy(async () => ({ default: (await loadTooltip()).TooltipPopup }));

/**
 * A tooltip on hover and focus for `children`, one focusable element. Never the only place of an information. The code of the popup
 * is loaded when the first tooltip opens.
 */
export function Tooltip({
  content,
  children,
  side = 'top',
}: {
  content: ReactNode;
  // oxlint-disable-next-line typescript/no-explicit-any -- any element will do
  children: ReactElement<any>;
  side?: 'top' | 'bottom' | 'inline-start' | 'inline-end' | undefined;
}) {
  const { anchor, isOpen, handlers, popupHandlers, close } = useTooltipState();
  return (
    <>
      {cloneElement(children, mergeProps(handlers, children.props))}
      {anchor !== null && (
        <Suspense fallback={null}>
          <TooltipPopup {...{ anchor, isOpen, side, content }} onClose={close} handlers={popupHandlers} />
        </Suspense>
      )}
    </>
  );
}
