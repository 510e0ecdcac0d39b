import { useRouter } from '@tanstack/react-router';
import { useSyncExternalStore } from 'react';
import { LiveDot } from '../ui/picture/LiveDot.tsx';

/** The state of the live view, in the header. */
export function LiveStatusDot() {
  const { live } = useRouter().options.context;
  const { state, updatedAtMs } = useSyncExternalStore(live.subscribe, live.status);
  return <LiveDot state={state} updatedAtMs={updatedAtMs} />;
}
