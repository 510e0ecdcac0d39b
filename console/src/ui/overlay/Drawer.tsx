import { Dialog as Base } from '@base-ui/react/dialog';
import { ChevronDown, ChevronUp, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { uiCopy } from '../copy.ts';
import { areShortcutsWanted } from '../style/theme.ts';
import { useOpenDialog } from './open-dialogs.ts';
import { backdropClass } from './popup-class.ts';

/** A panel that slides in from the `side` edge; on phones from the bottom, except at `start`. */
export function Drawer({
  open,
  onOpenChange,
  title,
  above,
  onStep,
  side = 'end',
  children,
  footer,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  /** A small line above the title, such as a time. */
  above?: ReactNode;
  /** Shows the row before or behind the one shown, also by k and j; without a step there is none. */
  onStep?:
    | { readonly previous?: (() => void) | undefined; readonly next?: (() => void) | undefined }
    | undefined;
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
          onKeyDown={({ key, ctrlKey, metaKey, altKey, target }) => {
            const isTyping = ctrlKey || metaKey || altKey || target instanceof HTMLInputElement;
            if (isTyping || !areShortcutsWanted()) return;
            if (key === 'j') onStep?.next?.();
            if (key === 'k') onStep?.previous?.();
          }}
          className={`fixed z-30 flex flex-col border-line bg-surface text-ink shadow-float transition-[opacity,transform] duration-180 data-ending-style:opacity-0 data-starting-style:opacity-0 ${edge}`}
        >
          <div
            className={`flex justify-between gap-3 px-5 pt-4 ${above === undefined ? 'items-center' : ''}`}
          >
            <div className="min-w-0">
              {above !== undefined && <p className="mb-1 text-small text-ink2">{above}</p>}
              <Base.Title className="text-section wrap-anywhere">{title}</Base.Title>
            </div>
            <div className="flex shrink-0">
              {onStep !== undefined && (
                <>
                  <Step label={uiCopy.dialog.previous} icon={ChevronUp} onClick={onStep.previous} />
                  <Step label={uiCopy.dialog.next} icon={ChevronDown} onClick={onStep.next} />
                </>
              )}
              <Base.Close aria-label={uiCopy.dialog.close} className={iconClass}>
                <X size={16} aria-hidden />
              </Base.Close>
            </div>
          </div>
          <div aria-hidden className="mx-5 mt-3 border-t border-line" />
          <div className="min-h-0 flex-1 overflow-y-auto px-5 py-4">{children}</div>
          {footer !== undefined && <div className="border-t border-line px-5 py-3">{footer}</div>}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

const iconClass =
  'flex size-8 shrink-0 items-center justify-center rounded-control text-ink3 hover:bg-sunken hover:text-ink aria-disabled:text-line-strong aria-disabled:hover:bg-transparent pointer-coarse:size-11';

// Not disabled where there is no further row: the focus would be lost.
function Step({
  label,
  icon: Icon,
  onClick,
}: {
  label: string;
  icon: typeof X;
  onClick: (() => void) | undefined;
}) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      aria-disabled={onClick === undefined}
      onClick={onClick}
      className={iconClass}
    >
      <Icon size={16} aria-hidden />
    </button>
  );
}
