import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { enShell } from '../../copy/en-shell.ts';
import { useLiveState } from '../use-live-state.ts';

const quietMs = 3000;

/**
 * The sentence that says why nothing can be changed, once the hub could not be reached for 3 s. A page that could not be
 * loaded meanwhile is loaded when the hub is back.
 */
export function useOfflineReason(): string | undefined {
  const router = useRouter();
  const isAway = useLiveState() === 'offline';
  const [isLong, setIsLong] = useState(false);
  useEffect(() => {
    if (!isAway) return;
    const timer = window.setTimeout(() => setIsLong(true), quietMs);
    return () => {
      window.clearTimeout(timer);
      setIsLong(false);
      void router.invalidate();
    };
  }, [isAway, router]);
  return isAway && isLong ? enShell.offlineReason : undefined;
}
