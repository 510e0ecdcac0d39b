import { type RefObject, useState } from 'react';

/**
 * The landmark that the popup of an element is rendered into, so that assistive technology finds it near the element: `main` or
 * `header`. Undefined inside dialogs, where popups stay in the dialog, and on a page without landmarks.
 */
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
