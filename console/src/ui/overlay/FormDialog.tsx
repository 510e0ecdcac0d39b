import { Dialog as Base } from '@base-ui/react/dialog';
import { CircleAlert } from 'lucide-react';
import type { ComponentProps, FormEvent } from 'react';
import { uiCopy } from '../copy.ts';
import { Button } from '../action/Button.tsx';
import { DialogFooter } from './DialogFooter.tsx';
import { DialogFrame } from './DialogFrame.tsx';
import { useOpenDialog } from './open-dialogs.ts';

/** Scrolls to an element that has appeared: in a long form what follows the button may be out of sight. */
const showWhole = (element: Element | null): void => element?.scrollIntoView?.({ block: 'nearest' });

/**
 * A form in a dialog, which opens empty each time: `onReset` is called when it closes. The caller closes it after success. `onCancel` is
 * called by the Cancel button, in place of `onOpenChange`.
 */
export function FormDialog({
  open,
  onOpenChange,
  onSubmit,
  onReset,
  submitLabel,
  tone = 'primary',
  canSubmit = true,
  busy = false,
  error,
  onCancel = () => onOpenChange(false),
  children,
  ...frame
}: Omit<ComponentProps<typeof DialogFrame>, 'initialFocus'> & {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onSubmit: () => void;
  onReset?: (() => void) | undefined;
  submitLabel: string;
  tone?: 'danger' | 'primary' | undefined;
  canSubmit?: boolean | undefined;
  busy?: boolean | undefined;
  error?: string | undefined;
  onCancel?: (() => void) | undefined;
}) {
  useOpenDialog(open, () => onOpenChange(false));
  function submit(event: FormEvent): void {
    event.preventDefault();
    event.stopPropagation();
    if (canSubmit && !busy) onSubmit();
  }
  return (
    <Base.Root
      open={open}
      onOpenChange={(next) => onOpenChange(next)}
      onOpenChangeComplete={(isOpen) => (isOpen ? undefined : onReset?.())}
    >
      <DialogFrame {...frame}>
        <form noValidate onSubmit={submit}>
          <div className="flex flex-col gap-4 px-6 py-5">
            {children}
            {error !== undefined && (
              <p
                ref={showWhole}
                role="alert"
                className="flex items-start gap-2 rounded-control bg-danger-wash px-3 py-2 text-body text-danger"
              >
                <CircleAlert size={16} aria-hidden className="mt-0.5 shrink-0" />
                <span className="min-w-0 wrap-anywhere">{error}</span>
              </p>
            )}
          </div>
          <DialogFooter>
            <Button onClick={onCancel}>{uiCopy.dialog.cancel}</Button>
            <Button type="submit" variant={tone} disabled={!canSubmit} loading={busy}>
              {submitLabel}
            </Button>
          </DialogFooter>
        </form>
      </DialogFrame>
    </Base.Root>
  );
}
