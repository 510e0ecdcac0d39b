import type { Id, Json, Output } from '@corral/contract';
import { Link } from '@tanstack/react-router';
import { ArrowRight, ChevronRight, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { deviceLabel } from '../../../parts/listed-device.ts';
import { PreviewCard } from '../../../ui/layout/PreviewCard.tsx';
import { PreviewFigure } from '../../../ui/layout/PreviewFigure.tsx';
import { PreviewPart } from '../../../ui/layout/PreviewPart.tsx';
import { jsonText } from '../../../ui/text/json-text.ts';
import { AbsoluteTime } from '../../../ui/time/AbsoluteTime.tsx';
import { toMs } from '../../../ui/time/format-time.ts';
import { useNow } from '../../../ui/time/use-now.ts';
import { middleTruncate } from '../../../ui/text/middle-truncate.ts';
import { newOperationCopy } from './copy.ts';
import { PreviewField, stageFill } from './PreviewField.tsx';

const words = newOperationCopy.preview;

type Answer = Output<'fleet_PreviewOperation'>;

/** What an operation would do: on which devices, which are left out and why, and what changes. */
export function Preview({
  projectId,
  ...asked
}: {
  projectId: Id<'project'>;
  /** Why there is nothing to preview yet. */
  problem: string | undefined;
  preview: Answer | undefined;
  error: Error | null;
  /** Whether the preview is of what is typed. */
  isCurrent: boolean;
}) {
  return (
    <PreviewCard words={words} {...asked}>
      {(preview) => <Found {...{ projectId, preview }} />}
    </PreviewCard>
  );
}

function Found({
  projectId,
  preview: { matched, eligible, excluded, stages, changes, warnings, downloadBytes, window },
}: {
  projectId: Id<'project'>;
  preview: Answer;
}) {
  const leftOut = matched - eligible;
  const now = useNow('minute');
  return (
    <>
      <dl className="grid grid-cols-3 divide-x divide-line">
        <PreviewFigure value={matched.toLocaleString('en')} label={words.matched} />
        <PreviewFigure value={eligible.toLocaleString('en')} label={words.eligible} tone="denim" />
        <PreviewFigure value={leftOut.toLocaleString('en')} label={words.excluded} />
      </dl>
      {eligible > 0 && (
        <PreviewPart title={words.stages}>
          <PreviewField {...{ stages, leftOut }} />
          <ul className="mt-3 flex flex-col gap-2">
            {stages.map(({ name, devices }, index) => (
              <Line
                key={index}
                name={
                  <span className="flex items-center gap-2.5">
                    <svg aria-hidden width="10" height="10" className="shrink-0">
                      <circle cx="5" cy="5" r="4" className={stageFill(index, stages.length)} />
                    </svg>
                    {name}
                  </span>
                }
                value={devices.toLocaleString('en')}
              />
            ))}
          </ul>
        </PreviewPart>
      )}
      {excluded.length > 0 && (
        <PreviewPart title={words.leftOut}>
          <ul className="flex flex-col gap-2">
            {excluded.map((group) => (
              <Excluded key={group.reason} {...{ projectId, group }} />
            ))}
          </ul>
        </PreviewPart>
      )}
      {changes.length > 0 && (
        <PreviewPart title={words.changes}>
          <ul className="flex flex-col gap-2">
            {changes.map(({ what, from, to, count }, index) => (
              <Line
                key={index}
                name={<Change {...{ what, from, to }} />}
                value={count.toLocaleString('en')}
              />
            ))}
          </ul>
        </PreviewPart>
      )}
      {window !== undefined && (
        <PreviewPart title={words.window}>
          <p className="text-body text-ink2">
            {toMs(window.opensAt) <= now ? words.windowOpen : words.windowOpens}{' '}
            <AbsoluteTime at={toMs(window.opensAt) <= now ? window.closesAt : window.opensAt} />
          </p>
        </PreviewPart>
      )}
      {warnings.length > 0 && (
        <PreviewPart title={words.warnings}>
          <ul className="flex flex-col gap-2">
            {warnings.map((warning) => (
              <li key={warning} className="flex gap-2 text-body wrap-anywhere text-warn">
                <TriangleAlert size={15} aria-hidden className="mt-0.5 shrink-0" />
                {warning}
              </li>
            ))}
          </ul>
        </PreviewPart>
      )}
      {downloadBytes > 0 && (
        <PreviewPart title={words.facts}>
          <ul>
            <Line name={words.download} value={words.bytes(downloadBytes.toLocaleString('en'))} />
          </ul>
        </PreviewPart>
      )}
    </>
  );
}

function Line({ name, value }: { name: ReactNode; value: string }) {
  return (
    <li className="flex items-baseline justify-between gap-4 text-body">
      <span className="min-w-0 wrap-anywhere text-ink2">{name}</span>
      <span className="tabular text-end font-head">{value}</span>
    </li>
  );
}

/** Why some devices are left out; it opens to name them. */
function Excluded({
  projectId,
  group: { reason, count, sample },
}: {
  projectId: Id<'project'>;
  group: Answer['excluded'][number];
}) {
  return (
    <li>
      <details className="group">
        <summary className="flex cursor-default list-none items-baseline justify-between gap-4 rounded-control text-body [&::-webkit-details-marker]:hidden">
          <span className="flex min-w-0 items-baseline gap-1.5 wrap-anywhere text-ink2">
            <ChevronRight
              size={14}
              aria-hidden
              className="shrink-0 self-center text-ink3 transition-transform group-open:rotate-90 rtl:-scale-x-100"
            />
            {reason}
          </span>
          <span className="number-link tabular">{count.toLocaleString('en')}</span>
        </summary>
        <ul className="mt-1.5 flex flex-wrap gap-x-3 gap-y-1 ps-5">
          {sample.map((device) => (
            <li key={device.deviceId} className="text-small">
              <Link
                to="/projects/$projectId/devices/$deviceId"
                params={{ projectId, deviceId: device.deviceId }}
                className="touch-area rounded-control text-denim hover:underline"
              >
                {deviceLabel(device)}
              </Link>
            </li>
          ))}
          {count > sample.length && (
            <li className="text-small text-ink3">{words.more(count - sample.length)}</li>
          )}
        </ul>
      </details>
    </li>
  );
}

function Change({ what, from, to }: { what: string; from: Json | undefined; to: Json | undefined }) {
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-0.5 font-mono text-mono">
      <span className="text-ink2">{what}</span>
      <span className="text-ink3">{brief(from)}</span>
      <ArrowRight size={13} aria-hidden className="shrink-0 text-ink3 rtl:-scale-x-100" />
      <span className="sr-only">{words.to}</span>
      <span className="text-ink">{brief(to)}</span>
    </span>
  );
}

const brief = (value: Json | undefined): string =>
  value === undefined ? words.unset : middleTruncate(typeof value === 'string' ? value : jsonText(value), 40);
