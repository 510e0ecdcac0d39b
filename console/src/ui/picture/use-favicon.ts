import { useEffect } from 'react';

/** Shows the favicon with a warning dot while `isWarning`. */
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
