import { useRouter } from '@tanstack/react-router';
import { useSyncExternalStore } from 'react';
import type { LiveState } from '../data/live.ts';

/** The current state of the live view. */
export function useLiveState(): LiveState {
  const { live } = useRouter().options.context;
  return useSyncExternalStore(live.subscribe, () => live.status().state);
}
