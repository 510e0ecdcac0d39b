import { type RefObject, useEffect, useRef } from 'react';
import { setPageTitle } from '../../ui/layout/document-title.ts';
import { announce } from '../../ui/text/announce.ts';

/**
 * For the `h1` of a screen that replaces another at the same URL: on mount, sets the document title from it, announces it and focuses
 * it.
 */
export function useAnnouncedHeading(): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const name = heading.current?.textContent?.trim() ?? '';
    setPageTitle(name);
    announce(name);
    heading.current?.focus({ preventScroll: true });
  }, []);
  return heading;
}
