import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { uiCopy } from '../copy.ts';
import { Button } from '../action/Button.tsx';
import { DialogFooter } from './DialogFooter.tsx';
import { DialogFrame } from './DialogFrame.tsx';
import { useOpenDialog } from './open-dialogs.ts';

/**
 * A modal dialog. Without `footer` it has a Close button. For forms use `FormDialog`. Closing a `guarded` one loses something, such as a
 * secret that is shown once: neither Escape nor a click beside it closes it, only its buttons, by default "I stored it".
 */
export function Dialog({
  open,
  onOpenChange,
  footer,
  guarded = false,
  isAskedFirst = guarded,
  children,
  ...frame
}: Omit<ComponentProps<typeof DialogFrame>, 'initialFocus'> & {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  footer?: ReactNode;
  guarded?: boolean | undefined;
  /** Whether who leaves the page while it is open is asked first; by default where it is guarded. */
  isAskedFirst?: boolean | undefined;
}) {
  useOpenDialog(open, () => onOpenChange(false), { isAskedFirst });
  return (
    <Base.Root
      open={open}
      disablePointerDismissal={guarded}
      onOpenChange={(next, details) => (guarded ? details.cancel() : onOpenChange(next))}
    >
      <DialogFrame isGuarded={guarded} {...frame}>
        {!guarded && (
          <Base.Close
            aria-label={uiCopy.dialog.close}
            className="absolute end-3 top-3 flex size-8 items-center justify-center rounded-control text-ink3 hover:bg-sunken hover:text-ink pointer-coarse:end-1.5 pointer-coarse:top-1.5 pointer-coarse:size-11"
          >
            <X size={16} aria-hidden />
          </Base.Close>
        )}
        <div className="px-6 py-5">{children}</div>
        <DialogFooter>
          {footer ?? (
            <Button variant={guarded ? 'primary' : 'secondary'} onClick={() => onOpenChange(false)}>
              {guarded ? uiCopy.dialog.stored : uiCopy.dialog.close}
            </Button>
          )}
        </DialogFooter>
      </DialogFrame>
    </Base.Root>
  );
}
