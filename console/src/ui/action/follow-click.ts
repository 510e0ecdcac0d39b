import type { MouseEvent } from 'react';

/** Follows a link in the page unless the user asks for a tab or window of its own. */
export function followClick(event: MouseEvent, open: () => void): void {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  open();
}
