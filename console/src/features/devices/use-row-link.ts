import { type LinkProps, useRouter } from '@tanstack/react-router';
import type { MouseEvent } from 'react';

/** The props of an `a` in a row that leads to a page of the console; the router's Link would subscribe each row to every navigation. */
export function useRowLink(to: LinkProps): { href: string; onClick: (event: MouseEvent) => void } {
  const router = useRouter();
  return {
    href: router.buildLocation(to).href,
    onClick(event) {
      if (event.defaultPrevented || event.button !== 0 || hasModifier(event)) return;
      event.preventDefault();
      void router.navigate(to);
    },
  };
}

// With a modifier the browser opens the link in a new tab or window.
function hasModifier({ metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean {
  return metaKey || ctrlKey || shiftKey || altKey;
}
