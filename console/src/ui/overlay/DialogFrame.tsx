import { Dialog as Base } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';
import { backdropClass } from './popup-class.ts';

const widths = { small: 'sm:max-w-[26rem]', medium: 'sm:max-w-[32rem]', large: 'sm:max-w-[48rem]' };

/** The backdrop, box and title of every dialog. Must be inside a Dialog or AlertDialog root of Base UI. */
export function DialogFrame({
  title,
  description,
  size = 'medium',
  initialFocus,
  isGuarded = false,
  children,
}: {
  title: ReactNode;
  description?: ReactNode;
  size?: keyof typeof widths | undefined;
  initialFocus?: React.RefObject<HTMLElement | null> | undefined;
  /** Whether it must be answered, so that nothing opens above it. */
  isGuarded?: boolean | undefined;
  children: ReactNode;
}) {
  return (
    <Base.Portal>
      <Base.Backdrop className={`${backdropClass} in-data-page-hidden:bg-canvas`} />
      <Base.Viewport className="fixed inset-0 z-30 flex items-end justify-center overflow-y-auto sm:items-center sm:p-6">
        <Base.Popup
          initialFocus={initialFocus}
          data-guarded={isGuarded || undefined}
          data-sheet
          className={`relative flex max-h-full w-full flex-col overflow-y-auto rounded-t-card border border-line bg-surface text-ink shadow-float transition-[opacity,transform] duration-180 data-ending-style:translate-y-2 data-ending-style:opacity-0 data-starting-style:translate-y-2 data-starting-style:opacity-0 sm:rounded-card ${widths[size]}`}
        >
          <div className="px-6 pt-5">
            <Base.Title className="text-section wrap-anywhere">{title}</Base.Title>
            {description !== undefined && (
              <Base.Description
                render={<div />}
                className="own-direction mt-1 text-body wrap-anywhere text-ink2"
              >
                {description}
              </Base.Description>
            )}
            <div aria-hidden className="mt-4 border-t border-line" />
          </div>
          {children}
        </Base.Popup>
      </Base.Viewport>
    </Base.Portal>
  );
}
