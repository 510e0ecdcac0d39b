import { type RefObject, useState } from 'react';

/**
 * Where the popup of an element belongs, so that it stands in a landmark and not behind the end of the page: the header or
 * the main part. Undefined inside dialogs, which are places of their own, and where there is no landmark.
 */
export function landmarkOf(element: Element | null): HTMLElement | undefined {
  if (element === null || element.closest('[role=dialog], [role=alertdialog]') !== null) return undefined;
  const own = element.closest<HTMLElement>('main') ?? element.closest<HTMLElement>('header');
  return own ?? document.querySelector('main') ?? undefined;
}

/** `landmarkOf` an element that is known by a reference, looked up when the popup opens. */
export function useLandmark(anchor: RefObject<Element | null>): RefObject<HTMLElement | null> {
  const [landmark] = useState(() => ({
    get current() {
      return landmarkOf(anchor.current) ?? null;
    },
  }));
  return landmark as RefObject<HTMLElement | null>;
}
