import { useLayoutEffect, useRef } from 'react';
import { Button } from '../ui/action/Button.tsx';
import type { MoreRows } from './row-source.ts';

/** The button that loads more of a list, or the sentence at its end; and why the last page could not be read. */
export function NextPage({ more: { label, load, end, isLoading, failure } }: { more: MoreRows }) {
  const isEnd = load === undefined;
  const place = useRef<HTMLDivElement>(null);
  const isPressed = useRef(false);
  // The end of the list takes the focus of the button that it replaces: without it the focus, and the page, would go to the heading.
  useLayoutEffect(() => {
    if (isEnd && isPressed.current && document.activeElement === document.body)
      place.current?.focus({ preventScroll: true });
    if (isEnd) isPressed.current = false;
  }, [isEnd]);
  return (
    <div
      ref={place}
      tabIndex={-1}
      className="flex flex-col items-center gap-2 py-4 text-body text-ink3 outline-none print:hidden"
    >
      {isEnd ? (
        end
      ) : (
        <Button
          loading={isLoading}
          onClick={() => {
            isPressed.current = true;
            load();
          }}
        >
          {label}
        </Button>
      )}
      {failure !== undefined && (
        <p role="alert" className="text-danger">
          {failure}
        </p>
      )}
    </div>
  );
}
