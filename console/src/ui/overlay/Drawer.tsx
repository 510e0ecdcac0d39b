import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { uiCopy } from '../copy.ts';
import { useOpenDialog } from './open-dialogs.ts';
import { backdropClass } from './popup-class.ts';

/** A panel that slides in from the `side` edge; on phones from the bottom, except at `start`. */
export function Drawer({
  open,
  onOpenChange,
  title,
  side = 'end',
  children,
  footer,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  side?: 'start' | 'end' | undefined;
  children: ReactNode;
  footer?: ReactNode;
}) {
  useOpenDialog(open, () => onOpenChange(false));
  const edge =
    side === 'end'
      ? 'inset-x-0 bottom-0 max-h-[85dvh] rounded-t-card border-t data-starting-style:translate-y-6 data-ending-style:translate-y-6 sm:inset-y-0 sm:start-auto sm:end-0 sm:max-h-none sm:w-[28rem] sm:rounded-none sm:border-t-0 sm:border-s sm:data-starting-style:translate-x-6 sm:data-starting-style:translate-y-0 sm:data-ending-style:translate-x-6 sm:data-ending-style:translate-y-0 sm:rtl:data-starting-style:-translate-x-6 sm:rtl:data-ending-style:-translate-x-6'
      : 'inset-y-0 start-0 w-[min(18rem,85vw)] border-e data-starting-style:-translate-x-6 data-ending-style:-translate-x-6 rtl:data-starting-style:translate-x-6 rtl:data-ending-style:translate-x-6';
  return (
    <Base.Root open={open} onOpenChange={(next) => onOpenChange(next)}>
      <Base.Portal>
        <Base.Backdrop className={backdropClass} />
        <Base.Popup
          data-sheet
          className={`fixed z-30 flex flex-col border-line bg-surface text-ink shadow-float transition-[opacity,transform] duration-180 data-ending-style:opacity-0 data-starting-style:opacity-0 ${edge}`}
        >
          <div className="flex items-center justify-between gap-3 px-5 pt-4">
            <Base.Title className="text-section wrap-anywhere">{title}</Base.Title>
            <Base.Close
              aria-label={uiCopy.dialog.close}
              className="flex size-8 shrink-0 items-center justify-center rounded-control text-ink3 hover:bg-sunken hover:text-ink pointer-coarse:size-11"
            >
              <X size={16} aria-hidden />
            </Base.Close>
          </div>
          <div aria-hidden className="double-rule mx-5 mt-3" />
          <div className="min-h-0 flex-1 overflow-y-auto px-5 py-4">{children}</div>
          {footer !== undefined && <div className="border-t border-line px-5 py-3">{footer}</div>}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
