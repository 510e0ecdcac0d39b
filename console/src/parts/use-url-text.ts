import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';

const debounceMs = 200;

/**
 * Text that is stored in the URL: shows at once, is written to the URL when typing pauses for 200 ms, and follows the URL when that
 * changes otherwise (a link, the back button). Not written after a navigation to another page has begun, which it would cancel.
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
    }, debounceMs);
  }
  return [typed, type];
}
