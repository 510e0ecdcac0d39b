import { Toast as Base } from '@base-ui/react/toast';
import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { uiCopy } from '../copy.ts';
import { buttonClass } from '../action/button-class.ts';
import { Meter } from '../picture/Meter.tsx';
import { connectToasts, type ToastRequest, type ToastTone } from './toast.ts';

const icons: Record<ToastTone, React.ReactNode> = {
  info: <Info size={17} aria-hidden className="text-denim" />,
  ok: <CircleCheck size={17} aria-hidden className="text-ok" />,
  danger: <CircleAlert size={17} aria-hidden className="text-danger" />,
};

type ToastData = Pick<ToastRequest, 'tone' | 'progress' | 'title'>;

/** On phones a dialog or drawer has its buttons where toasts are otherwise, so these then go to the top. */
const aboveSheets = 'max-sm:in-[body:has([data-sheet])]:top-4 max-sm:in-[body:has([data-sheet])]:bottom-auto';

/** Renders toasts at the bottom start, three at most, focusable with F6: in the sidebar where there is one; elsewhere the page gets room to scroll its last rows above them. Render it once, at the root of the page. */
export function Toasts() {
  const [manager] = useState(() => Base.createToastManager<ToastData>());
  useEffect(() => {
    function add({ id, title, text, tone, progress, isUpdate, action, durationMs }: ToastRequest): void {
      const shown = {
        title,
        description: text,
        data: { tone, progress, title },
        priority: tone === 'danger' ? 'high' : 'low',
        timeout: durationMs,
        // Also without an action: a toast with the same id may have had one.
        actionProps: action && { children: action.label, onClick: () => act(id, action.onClick) },
      } as const;
      if (isUpdate === true) manager.update(id, shown);
      else manager.add({ id, ...shown });
    }
    function act(id: string, onClick: () => void): void {
      manager.close(id);
      onClick();
    }
    return connectToasts({ add });
  }, [manager]);
  return (
    <Base.Provider toastManager={manager} limit={3}>
      <Base.Portal>
        <Base.Viewport
          aria-label={uiCopy.shell.notifications}
          data-toasts
          className={`fixed inset-x-4 bottom-4 z-50 flex flex-col gap-2 sm:end-auto sm:start-6 sm:bottom-6 sm:w-96 lg:start-3 lg:bottom-3 lg:w-52 print:hidden ${aboveSheets}`}
        >
          <ToastList />
        </Base.Viewport>
      </Base.Portal>
    </Base.Provider>
  );
}

function ToastList() {
  const { toasts } = Base.useToastManager<ToastData>();
  return toasts.map((toast) => (
    <Base.Root
      key={toast.id}
      toast={toast}
      data-toast
      swipeDirection={[]}
      className="rounded-card border border-line bg-raised text-ink shadow-float transition-[opacity,transform] duration-180 data-ending-style:opacity-0 data-limited:hidden data-starting-style:translate-y-2 data-starting-style:opacity-0"
    >
      <Base.Content className="relative flex items-start gap-3 p-3 lg:flex-wrap lg:gap-x-2">
        <span className="mt-0.5 shrink-0">{icons[toast.data?.tone ?? 'info']}</span>
        <div className="min-w-0 flex-1 lg:basis-36">
          <Base.Title className="text-body font-head wrap-anywhere lg:pe-5" />
          <Base.Description className="text-body text-ink2 wrap-anywhere" />
          {toast.data?.progress !== undefined && (
            <div className="mt-2">
              <Meter
                isProgress
                label={toast.data.title}
                value={toast.data.progress.done}
                max={toast.data.progress.total}
              />
            </div>
          )}
        </div>
        <Base.Action className={`${buttonClass('secondary', 'small')} lg:ms-6`} />
        <Base.Close
          aria-label={uiCopy.toast.dismiss}
          className="flex size-7 shrink-0 items-center justify-center rounded-control text-ink3 hover:bg-sunken hover:text-ink lg:absolute lg:end-1 lg:top-2 pointer-coarse:size-11"
        >
          <X size={15} aria-hidden />
        </Base.Close>
      </Base.Content>
    </Base.Root>
  ));
}
