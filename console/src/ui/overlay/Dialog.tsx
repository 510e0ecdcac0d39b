import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { uiCopy } from '../copy.ts';
import { Button } from '../action/Button.tsx';
import { DialogFooter } from './DialogFooter.tsx';
import { DialogFrame } from './DialogFrame.tsx';

/** A modal dialog. Without `footer` it has a Close button. For forms use `FormDialog`. */
export function Dialog({
  open,
  onOpenChange,
  footer,
  children,
  ...frame
}: Omit<ComponentProps<typeof DialogFrame>, 'initialFocus'> & {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  footer?: ReactNode;
}) {
  return (
    <Base.Root open={open} onOpenChange={(next) => onOpenChange(next)}>
      <DialogFrame {...frame}>
        <Base.Close
          aria-label={uiCopy.dialog.close}
          className="absolute end-3 top-3 flex size-8 items-center justify-center rounded-control text-ink3 hover:bg-sunken hover:text-ink"
        >
          <X size={16} aria-hidden />
        </Base.Close>
        <div className="px-6 py-5">{children}</div>
        <DialogFooter>
          {footer ?? <Button onClick={() => onOpenChange(false)}>{uiCopy.dialog.close}</Button>}
        </DialogFooter>
      </DialogFrame>
    </Base.Root>
  );
}
