import { type RefObject, useState } from 'react';

/** The landmark (`main` or `header`) to render a popup into, near its element; undefined inside dialogs and without landmarks. */
export function landmarkOf(element: Element | null): HTMLElement | undefined {
  if (element === null || element.closest('[role=dialog], [role=alertdialog]') !== null) return undefined;
  const own = element.closest<HTMLElement>('main') ?? element.closest<HTMLElement>('header');
  return own ?? document.querySelector('main') ?? undefined;
}

/** `landmarkOf` the element of a ref, evaluated when the popup opens. */
export function useLandmark(anchor: RefObject<Element | null>): RefObject<HTMLElement | null> {
  const [landmark] = useState(() => ({
    get current() {
      return landmarkOf(anchor.current) ?? null;
    },
  }));
  return landmark as RefObject<HTMLElement | null>;
}
