import { Dialog as Base } from '@base-ui/react/dialog';
import { Download, KeyRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { uiCopy } from '../copy.ts';
import { Button } from '../action/Button.tsx';
import { CopyButton } from '../text/CopyButton.tsx';
import { downloadText } from '../text/download-text.ts';
import { DialogFooter } from './DialogFooter.tsx';
import { DialogFrame } from './DialogFrame.tsx';
import { useOpenDialog } from './open-dialogs.ts';

/**
 * Shows a secret that cannot be shown again. Only "I stored it" closes it, neither Escape nor an outside click. `variable` is its
 * name in the .env file, e.g. CORRAL_TOKEN. Closed while `secret` is undefined.
 */
export function SecretDialog({
  title,
  secret,
  what,
  variable,
  onStored,
  children,
}: {
  title: string;
  secret: string | undefined;
  what: string;
  variable: string;
  onStored: () => void;
  children?: ReactNode;
}) {
  useOpenDialog(secret !== undefined, onStored, { isAskedFirst: true });
  const text = secret ?? '';
  return (
    <Base.Root
      open={secret !== undefined}
      disablePointerDismissal
      onOpenChange={(_next, details) => details.cancel()}
    >
      <DialogFrame isGuarded title={title} description={uiCopy.dialog.secretOnce}>
        <div className="flex flex-col gap-4 px-6 py-5">
          <div className="flex items-start gap-3 rounded-control border border-rivet/40 bg-rivet-wash p-3">
            <KeyRound size={18} aria-hidden className="mt-0.5 shrink-0 text-rivet" />
            <output
              dir="ltr"
              aria-label={what}
              className="min-w-0 flex-1 font-mono text-mono break-all text-ink select-all"
            >
              {text}
            </output>
          </div>
          <div className="flex flex-wrap gap-2">
            <CopyButton text={text} what={what} size="medium" />
            <Button
              icon={<Download size={15} aria-hidden />}
              onClick={() => downloadText('corral.env', 'text/plain', `${variable}=${text}\n`)}
            >
              {uiCopy.dialog.downloadEnv}
            </Button>
          </div>
          {children}
        </div>
        <DialogFooter>
          <Button variant="primary" onClick={onStored}>
            {uiCopy.dialog.stored}
          </Button>
        </DialogFooter>
      </DialogFrame>
    </Base.Root>
  );
}
