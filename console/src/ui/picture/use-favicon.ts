import { useEffect } from 'react';

/** Puts a warning dot on the icon of the tab while `isWarning`, so that trouble shows without the page. */
export function useFavicon(isWarning: boolean): void {
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    if (link === null || !isWarning) return;
    const before = link.href;
    link.href = '/favicon-warn.svg';
    return () => {
      link.href = before;
    };
  }, [isWarning]);
}
