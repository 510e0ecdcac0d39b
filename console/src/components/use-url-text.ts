import { useEffect, useRef, useState } from 'react';

const settleMs = 200;

/**
 * Text that is typed fast and kept in the URL: shown at once, written to the URL when typing rests for 200 ms, and taken from
 * there when it changes without typing (a link, the back button).
 */
export function useUrlText(inUrl: string, write: (text: string) => void): [string, (text: string) => void] {
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
    pending.current = window.setTimeout(() => {
      pending.current = undefined;
      latest.current(text);
    }, settleMs);
  }
  return [typed, type];
}
