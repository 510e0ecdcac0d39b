import { AlertDialog as Base } from '@base-ui/react/alert-dialog';
import { type ReactNode, useRef, useState } from 'react';
import { uiCopy } from '../copy.ts';
import { Button } from '../action/Button.tsx';
import { messageOf } from '../form/message-of.ts';
import { TextField } from '../form/TextField.tsx';
import { DialogFooter } from './DialogFooter.tsx';
import { DialogFrame } from './DialogFrame.tsx';
import { useOpenDialog } from './open-dialogs.ts';

/**
 * Confirms an action that cannot be undone. The button names the action (`verb`), Cancel has the focus, and with `typedName` that name has
 * to be typed first. Closes when `onConfirm` resolves, and stays open with the message when it rejects.
 */
export function AlertDialog({
  open,
  onOpenChange,
  onConfirm,
  ...content
}: ContentProps & { open: boolean; onOpenChange: (open: boolean) => void }) {
  useOpenDialog(open, () => onOpenChange(false));
  const cancel = useRef<HTMLButtonElement>(null);
  return (
    <Base.Root open={open} onOpenChange={(next) => onOpenChange(next)}>
      <DialogFrame title={content.title} size="small" initialFocus={cancel}>
        <ConfirmForm
          {...content}
          cancelRef={cancel}
          onConfirm={onConfirm}
          onClose={() => onOpenChange(false)}
        />
      </DialogFrame>
    </Base.Root>
  );
}

type ContentProps = {
  title: string;
  verb: string;
  children: ReactNode;
  typedName?: string | undefined;
  tone?: 'danger' | 'primary' | undefined;
  onConfirm: () => void | Promise<unknown>;
};

// A component of its own, so that closing the dialog discards the typed name and the error.
function ConfirmForm({
  verb,
  children,
  typedName,
  tone = 'danger',
  onConfirm,
  onClose,
  cancelRef,
}: Omit<ContentProps, 'title'> & {
  onClose: () => void;
  cancelRef: React.RefObject<HTMLButtonElement | null>;
}) {
  const [typed, setTyped] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const isReady = typedName === undefined || typed.trim() === typedName.trim();
  async function confirm(): Promise<void> {
    if (!isReady || isBusy) return;
    setIsBusy(true);
    setFailure(undefined);
    try {
      await onConfirm();
      onClose();
    } catch (error) {
      setFailure(messageOf(error));
      setIsBusy(false);
    }
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void confirm();
      }}
    >
      <div className="flex flex-col gap-4 px-6 py-5 text-body wrap-anywhere text-ink2">
        <div className="own-direction">{children}</div>
        {typedName !== undefined && (
          <TextField
            label={uiCopy.dialog.typeToConfirm(typedName)}
            value={typed}
            onValueChange={setTyped}
            autoComplete="off"
            spellCheck={false}
            valid={isReady || undefined}
          />
        )}
        {failure !== undefined && (
          <p role="alert" className="text-danger">
            {failure}
          </p>
        )}
      </div>
      <DialogFooter>
        <Button ref={cancelRef} onClick={onClose}>
          {uiCopy.dialog.cancel}
        </Button>
        <Button
          type="submit"
          variant={tone}
          loading={isBusy}
          disabledReason={isReady ? undefined : uiCopy.dialog.typeFirst(typedName ?? '')}
        >
          {verb}
        </Button>
      </DialogFooter>
    </form>
  );
}
