import { mergeProps } from '@base-ui/react/merge-props';
import { cloneElement, lazy, type ReactElement, type ReactNode, Suspense } from 'react';
import { loadTooltip } from './load-tooltip.ts';
import { useHint } from './use-hint.ts';

const TooltipPopup = lazy(async () => ({ default: (await loadTooltip()).TooltipPopup }));

/**
 * A hint on hover and focus for `children`, one element that can take focus. Never the only place where something is said.
 * What draws it is loaded when the first one is wanted.
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
  const { anchor, isOpen, handlers, popupHandlers, close } = useHint();
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
