import { useRouterState } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { enShell } from '../copy/en-shell.ts';
import { chosenTimeZone } from '../ui/style/theme.ts';
import { formatDateTime, localZoneName } from '../ui/time/format-time.ts';

/** The foot of a printed page: its address and when it was printed. Nothing on the screen. */
export function PrintFooter() {
  const href = useRouterState({ select: ({ location }) => location.href });
  const [atMs, setAtMs] = useState(() => Date.now());
  useEffect(() => {
    // At once, because the print is taken right after this event.
    const renew = () => flushSync(() => setAtMs(Date.now()));
    window.addEventListener('beforeprint', renew);
    return () => window.removeEventListener('beforeprint', renew);
  }, []);
  return (
    <footer className="mx-6 hidden justify-between gap-6 border-t border-line pt-2 text-small print:flex">
      <span dir="ltr" className="wrap-anywhere">
        {window.location.origin}
        {href}
      </span>
      <span className="whitespace-nowrap">
        {enShell.printed(formatDateTime(atMs), chosenTimeZone() === 'utc' ? 'UTC' : localZoneName(atMs))}
      </span>
    </footer>
  );
}
