import type { Json, Output } from '@corral/contract';
import { ArrowRight } from 'lucide-react';
import { middleTruncate } from '../../../ui/text/middle-truncate.ts';
import { changesCopy as words } from './copy.ts';
import type { DeviceChange } from './changes.ts';

type Preview = Output<'fleet_PreviewChange'>;

/** How long a value is shown at most. */
const longestShown = 40;

/** What a change would do: to how many devices, to which for example, and which are left out and why. */
export function ChangePreview({
  preview,
  change,
}: {
  preview: Preview | undefined;
  change: DeviceChange | undefined;
}) {
  if (preview === undefined || change === undefined)
    return change === undefined ? null : (
      <p role="status" className="text-small text-ink2">
        {words.reading}
      </p>
    );
  const { matched, eligible, excluded, samples, connected } = preview;
  return (
    <div className="flex flex-col gap-2.5 rounded-control border border-line bg-sunken px-3.5 py-3 text-small">
      <p role="status" className="tabular text-body font-head">
        {words.changes(eligible, matched)}
      </p>
      {samples.length > 0 && (
        <ul className="flex flex-col gap-1.5">
          {samples.map((sample) => (
            <li key={sample.deviceId} className="flex flex-wrap items-baseline gap-x-2 gap-y-0.5">
              <span className="min-w-0 wrap-anywhere">
                {sample.deviceName ?? middleTruncate(sample.deviceId, 16)}
              </span>
              <BeforeAfter {...{ change }} {...sample} />
            </li>
          ))}
          {eligible > samples.length && (
            <li className="text-ink3">{words.more(eligible - samples.length)}</li>
          )}
        </ul>
      )}
      {excluded.map(({ reason, count, sample }) => (
        <p key={reason} className="wrap-anywhere text-ink2">
          {words.leftOut(count, reason)}
          <span className="block text-ink3">
            {sample.map(({ deviceId, name }) => name ?? middleTruncate(deviceId, 16)).join(', ')}
            {count > sample.length && ' …'}
          </span>
        </p>
      ))}
      {change.kind === 'Delete' && connected > 0 && <p className="text-warn">{words.connected(connected)}</p>}
    </div>
  );
}

/** What a device has and gets. */
export function BeforeAfter({
  change,
  before,
  after,
}: {
  change: DeviceChange;
  before?: Json | undefined;
  after?: Json | undefined;
}) {
  if (change.kind === 'Delete') return null;
  // The name before is the one that is shown, or a hostname.
  const shown = change.kind === 'Rename' ? [undefined, valueText(after)] : textsOf(change, before, after);
  return (
    <span className="flex min-w-0 flex-wrap items-baseline gap-x-1.5 text-ink2">
      {shown[0] !== undefined && <span className="wrap-anywhere">{shown[0]}</span>}
      <ArrowRight size={12} aria-hidden className="shrink-0 self-center rtl:-scale-x-100" />
      <span className="wrap-anywhere text-ink">{shown[1]}</span>
    </span>
  );
}

function textsOf(change: DeviceChange, before: Json | undefined, after: Json | undefined): [string, string] {
  return change.kind === 'Accept'
    ? [words.pendingBefore(Number(before ?? 0)), words.accepted]
    : [valueText(before), valueText(after)];
}

/** A value in words. */
export function valueText(value: Json | undefined): string {
  if (value === undefined || value === null) return words.none;
  return middleTruncate(typeof value === 'string' ? value : JSON.stringify(value), longestShown);
}
