import { type RefObject, useEffect, useRef } from 'react';
import { announce } from '../ui/text/announce.ts';

/**
 * For the `h1` of a screen that took another's place under the same address: names the document after it, says it politely
 * and moves the focus to it. Call it in what is mounted with the heading.
 */
export function useAnnouncedHeading(): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const name = heading.current?.textContent?.trim() ?? '';
    document.title = `${name} · Corral`;
    announce(name);
    heading.current?.focus({ preventScroll: true });
  }, []);
  return heading;
}
