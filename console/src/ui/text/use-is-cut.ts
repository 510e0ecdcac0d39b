import { type RefObject, useLayoutEffect, useState } from 'react';

/** Whether the box hides a part of what is `shown` in it; measured again when its width changes. Keeps the answer while there is no box. */
export function useIsCut(box: RefObject<HTMLElement | null>, shown: string): boolean {
  const [isCut, setIsCut] = useState(false);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const measure = () =>
      setIsCut(
        element.scrollHeight > element.clientHeight + 1 || element.scrollWidth > element.clientWidth + 1,
      );
    measure();
    if (typeof ResizeObserver === 'undefined') return;
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [box, shown]);
  return isCut;
}
