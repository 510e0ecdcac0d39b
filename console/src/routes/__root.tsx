import { createRootRouteWithContext, Outlet } from '@tanstack/react-router';
import { useEffect } from 'react';
import { documentCopy } from '../shell/document-copy.ts';
import { RouteAnnouncer } from '../shell/RouteAnnouncer.tsx';
import { useIdle } from '../shell/use-idle.ts';
import { useLazyModule } from '../parts/use-lazy-module.ts';
import type { RouterContext } from '../router.tsx';
import { keepFocus } from '../ui/focus/keep-focus.ts';

// Lazy, because the first paint shows no toast.
const loadToasts = async () => {
  const { Toasts } = await import('../ui/overlay/Toasts.tsx');
  return <Toasts />;
};

export const Route = createRootRouteWithContext<RouterContext>()({ component: DocumentShell });

function DocumentShell() {
  useEffect(keepFocus, []);
  const toasts = useLazyModule(loadToasts, useIdle());
  return (
    <>
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:fixed! focus:start-3 focus:top-3 focus:z-50 focus:rounded-control focus:bg-denim focus:px-4! focus:py-2.5! focus:text-label focus:text-on-denim"
        onClick={focusContent}
      >
        {documentCopy.skipToContent}
      </a>
      <Outlet />
      {toasts}
      <RouteAnnouncer />
    </>
  );
}

// By script, because the hash of a plain link would change the URL, which is the state of the page.
function focusContent(event: React.MouseEvent): void {
  event.preventDefault();
  const target = document.getElementById('content') ?? document.querySelector<HTMLElement>('main');
  target?.setAttribute('tabindex', '-1');
  target?.focus();
}
