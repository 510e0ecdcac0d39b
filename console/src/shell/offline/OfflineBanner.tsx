import { useRouter } from '@tanstack/react-router';
import { CloudOff } from 'lucide-react';
import { shellCopy } from '../copy.ts';
import { Button } from '../../ui/action/Button.tsx';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';

/** Says that the hub is unreachable and since when, with a button that retries at once. */
export function OfflineBanner() {
  const { live } = useRouter().options.context;
  const { updatedAtMs } = live.status();
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center justify-center gap-x-3 gap-y-1.5 border-b border-warn/40 bg-warn-wash px-6 py-2 text-body text-ink max-sm:px-4 print:hidden"
    >
      <CloudOff size={17} aria-hidden className="shrink-0 text-warn" />
      <span>
        {shellCopy.offline}{' '}
        {updatedAtMs !== undefined && (
          <>
            {shellCopy.lastHeard} <RelativeTime at={updatedAtMs} />.
          </>
        )}
      </span>
      <Button size="small" onClick={() => live.retry()}>
        {shellCopy.tryNow}
      </Button>
    </div>
  );
}
