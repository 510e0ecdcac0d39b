import { toMs } from '../../ui/time/format-time.ts';
import { historyCopy } from './copy.ts';
import { pointText } from './history-times.ts';

/** Says above charts that a demo shows a past that was not; nothing without such a past. */
export function InventedNote({ until, className }: { until: string | undefined; className: string }) {
  if (until === undefined) return null;
  return (
    <p className={`text-small text-ink2 ${className}`}>
      {historyCopy.invented(pointText(toMs(until), false))}
    </p>
  );
}
