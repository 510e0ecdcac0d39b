import { Meter } from '../ui/picture/Meter.tsx';
import { partsCopy } from './copy.ts';

const words = partsCopy.quota;
// From this share on a quota is about to be reached.
const nearShare = 0.8;

/** How much of a quota is used, as text and bar; without `max` there is none. */
export function QuotaMeter({
  label,
  used,
  max,
  format,
}: {
  label: string;
  used: number;
  max: number | undefined;
  format: (n: number) => string;
}) {
  if (max === undefined) return <span className="tabular">{words.unlimited(format(used))}</span>;
  const text = words.of(format(used), format(max));
  return (
    <div className="flex flex-col gap-1.5">
      <span className="tabular">{text}</span>
      <Meter label={label} value={used} max={max} text={text} />
    </div>
  );
}

/** How far quotas are used, by the one that is used most: `near` from 80 % on, `full` when it is reached. */
export function quotaState(
  quotas: readonly { readonly used: number; readonly max: number | undefined }[],
): 'near' | 'full' | undefined {
  const share = Math.max(
    ...quotas.map(({ used, max }) => (max === undefined ? 0 : max === 0 ? 1 : used / max)),
  );
  return share >= 1 ? 'full' : share >= nearShare ? 'near' : undefined;
}
