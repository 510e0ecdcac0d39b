import { useRouter } from '@tanstack/react-router';
import type { MouseEvent } from 'react';

/** Follows a link to a path with its search within the console, unless it is to open elsewhere; the router's Link would subscribe each to every navigation. */
export function useFollowPath(path: string): (event: MouseEvent) => void {
  const router = useRouter();
  return (event) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    router.history.push(path);
  };
}
