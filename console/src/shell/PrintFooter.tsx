import { useRouterState } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import { flushSync } from 'react-dom';
import { shellCopy } from './copy.ts';
import { chosenTimeZone } from '../ui/style/theme.ts';
import { formatDateTime, localZoneName } from '../ui/time/format-time.ts';
import { hubNow } from '../data/hub-clock.ts';

/** The footer of a printed page: its URL and the time of printing. Hidden on screen. */
export function PrintFooter() {
  const href = useRouterState({ select: ({ location }) => location.href });
  const [atMs, setAtMs] = useState(() => hubNow());
  useEffect(() => {
    // Synchronously, because the browser lays out the print right after this event.
    const update = () => flushSync(() => setAtMs(hubNow()));
    window.addEventListener('beforeprint', update);
    return () => window.removeEventListener('beforeprint', update);
  }, []);
  // Names of time zones are slow to make, and this renders with each navigation.
  const printed = useMemo(
    () => shellCopy.printed(formatDateTime(atMs), chosenTimeZone() === 'utc' ? 'UTC' : localZoneName(atMs)),
    [atMs],
  );
  return (
    <footer className="mx-6 hidden justify-between gap-6 border-t border-line pt-2 text-small print:flex">
      <span dir="ltr" className="wrap-anywhere">
        {window.location.origin}
        {href}
      </span>
      <span className="whitespace-nowrap">{printed}</span>
    </footer>
  );
}
