import { type ReactNode, useRef, useState } from 'react';
import { uiCopy } from '../copy.ts';
import { Button } from '../action/Button.tsx';
import { CopyButton } from './CopyButton.tsx';
import { useIsCut } from './use-is-cut.ts';

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
