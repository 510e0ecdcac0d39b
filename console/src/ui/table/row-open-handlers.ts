import type { KeyboardEvent, MouseEvent } from 'react';

const interactive =
  'a, button, input, select, textarea, label, summary, [role="menuitem"], [role="switch"], [role="checkbox"]';

/** Event handlers that open a row on click and Enter, but not while text is selected or for a control inside the row. */
export function rowOpenHandlers(open: (() => void) | undefined) {
  if (open === undefined) return {};
  return {
    onClick(event: MouseEvent<HTMLElement>) {
      if (event.defaultPrevented || event.button !== 0) return;
      if (event.target instanceof Element && event.target.closest(interactive) !== null) return;
      if (!event.currentTarget.contains(event.target as Node)) return;
      if ((window.getSelection()?.toString() ?? '') !== '') return;
      open();
    },
    onKeyDown(event: KeyboardEvent<HTMLElement>) {
      if (event.key !== 'Enter' || event.target !== event.currentTarget) return;
      event.preventDefault();
      open();
    },
  };
}
