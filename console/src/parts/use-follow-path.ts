import { useRouter } from '@tanstack/react-router';
import type { MouseEvent } from 'react';
import { followClick } from '../ui/action/follow-click.ts';

/** Follows a link to a path with its search within the console, unless it is to open elsewhere; the router's Link would subscribe each to every navigation. */
export function useFollowPath(path: string): (event: MouseEvent) => void {
  const router = useRouter();
  return (event) => followClick(event, () => router.history.push(path));
}
