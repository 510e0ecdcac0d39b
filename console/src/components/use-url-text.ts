import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';

const settleMs = 200;

/**
 * Text that is typed fast and kept in the URL: shown at once, written to the URL when typing rests for 200 ms, and taken from
 * there when it changes without typing (a link, the back button). Not written any more once the page is being left, which that
 * would call off.
 */
export function useUrlText(inUrl: string, write: (text: string) => void): [string, (text: string) => void] {
  const router = useRouter();
  const [typed, setTyped] = useState(inUrl);
  const pending = useRef<number | undefined>(undefined);
  const latest = useRef(write);
  useEffect(() => {
    latest.current = write;
  });
  useEffect(() => {
    if (pending.current === undefined) setTyped(inUrl);
  }, [inUrl]);
  useEffect(() => () => window.clearTimeout(pending.current), []);
  function type(text: string): void {
    setTyped(text);
    window.clearTimeout(pending.current);
    const { pathname } = router.latestLocation;
    pending.current = window.setTimeout(() => {
      pending.current = undefined;
      if (router.latestLocation.pathname === pathname) latest.current(text);
    }, settleMs);
  }
  return [typed, type];
}
