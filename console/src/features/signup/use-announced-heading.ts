import { type RefObject, useEffect, useRef } from 'react';
import { setPageTitle } from '../../ui/layout/document-title.ts';
import { announce } from '../../ui/text/announce.ts';

/** For the `h1` of a screen that replaces another at the same URL: calls `announceHeading` on mount. */
export function useAnnouncedHeading(): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => announceHeading(heading.current), []);
  return heading;
}

/** Sets the document title from an `h1`, announces it and focuses it. */
export function announceHeading(heading: HTMLElement | null): void {
  const name = heading?.textContent?.trim() ?? '';
  setPageTitle(name);
  announce(name);
  heading?.focus({ preventScroll: true });
}
