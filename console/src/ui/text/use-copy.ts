import { useCallback, useEffect, useRef, useState } from 'react';
import { uiCopy } from '../copy.ts';
import { announce } from './announce.ts';
import { copyText } from './copy-text.ts';
import { showCopyFailure } from './copy-with-toast.ts';

const shownMs = 1600;

/** `copy` copies `text` and announces "Copied `what`", or shows a toast when that failed; `isCopied` is true for 1.6 s. */
export function useCopy(text: string, what: string): { isCopied: boolean; copy: () => Promise<void> } {
  const [isCopied, setIsCopied] = useState(false);
  const timer = useRef<number | undefined>(undefined);
  useEffect(() => () => window.clearTimeout(timer.current), []);
  const copy = useCallback(async () => {
    const isDone = await copyText(text);
    if (isDone) announce(uiCopy.copy.copiedWhat(what));
    else showCopyFailure();
    setIsCopied(isDone);
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => setIsCopied(false), shownMs);
  }, [text, what]);
  return { isCopied, copy };
}
