import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { shellCopy } from '../copy.ts';
import { useLiveState } from '../../parts/use-live-state.ts';

const graceMs = 3000;

/** The reason why writes are blocked, once the hub has been unreachable for 3 s. When it is back, the route is loaded again. */
export function useOfflineReason(): string | undefined {
  const router = useRouter();
  const isOffline = useLiveState() === 'offline';
  const [isLong, setIsLong] = useState(false);
  useEffect(() => {
    if (!isOffline) return;
    const timer = window.setTimeout(() => setIsLong(true), graceMs);
    return () => {
      window.clearTimeout(timer);
      setIsLong(false);
      void router.invalidate();
    };
  }, [isOffline, router]);
  return isOffline && isLong ? shellCopy.offlineReason : undefined;
}
