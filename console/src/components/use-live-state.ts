import { useRouter } from '@tanstack/react-router';
import { useSyncExternalStore } from 'react';
import type { LiveState } from '../data/live.ts';

/** How the console gets its news right now. */
export function useLiveState(): LiveState {
  const { live } = useRouter().options.context;
  return useSyncExternalStore(live.subscribe, () => live.status().state);
}
