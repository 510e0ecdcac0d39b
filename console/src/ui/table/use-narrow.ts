import { useMedia } from '../layout/use-media.ts';

/** Whether the viewport is narrower than 640 px, where tables become cards. */
export function useNarrow(): boolean {
  return useMedia('(width < 40rem)');
}
