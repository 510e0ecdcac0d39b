import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { uiCopy } from '../copy.ts';
import { Button } from '../action/Button.tsx';
import { CopyButton } from './CopyButton.tsx';

// Shorter texts cannot fill more than five lines, and need not be measured.
const shortLength = 60;

/** A text that may be long: five lines of it, and below them "Show all" and a copy button. Prints in full. `children` show `text`. */
export function LongText({ text, children }: { text: string; children: ReactNode }) {
  if (text.length <= shortLength) return <>{children}</>;
  return <Clamped text={text}>{children}</Clamped>;
}

function Clamped({ text, children }: { text: string; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const isCut = useIsCut(box, text);
  return (
    <div className="min-w-0">
      <div ref={box} className={isOpen ? '' : 'line-clamp-5 print:line-clamp-none'}>
        {children}
      </div>
      {(isCut || isOpen) && (
        <div className="mt-1 -ms-2.5 flex flex-wrap gap-1 print:hidden">
          <Button size="small" variant="quiet" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
            {isOpen ? uiCopy.longText.less : uiCopy.longText.all}
          </Button>
          <CopyButton text={text} what={uiCopy.longText.what} variant="quiet" />
        </div>
      )}
    </div>
  );
}

/** Whether the box hides a part of its text; measured again when its width changes. */
function useIsCut(box: RefObject<HTMLElement | null>, text: string): boolean {
  const [isCut, setIsCut] = useState(false);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const measure = () => setIsCut(element.scrollHeight > element.clientHeight + 1);
    measure();
    if (typeof ResizeObserver === 'undefined') return;
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [box, text]);
  return isCut;
}
