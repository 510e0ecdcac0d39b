import { useMedia } from './use-media.ts';

/** Whether the sidebar is a rail of icons without names, as its classes make it from 640 to 1023 px. */
export function useRail(): boolean {
  return useMedia('(40rem <= width < 64rem)');
}
