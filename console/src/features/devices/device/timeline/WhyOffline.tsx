import type { Id, Output } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { inHubTime } from '../../../../data/hub-clock.ts';
import { ErrorBoundary } from '../../../../parts/ErrorBoundary.tsx';
import { CodeBlock } from '../../../../ui/text/CodeBlock.tsx';
import { formatTimeOfDay } from '../../../../ui/time/format-time.ts';
import { presenceQuery } from '../../queries.ts';
import { timelineCopy } from './copy.ts';

type Presence = Output<'devices_GetPresence'>;
type Evidence = Presence['evidence'][number];

const words = timelineCopy.why;

/** Why a device is not connected: a sentence, the evidence, and three checks. Nothing for a connected device. */
export function WhyOffline({ deviceId }: { deviceId: Id<'device'> }) {
  const { data, error, refetch, dataUpdatedAt } = useQuery(presenceQuery(deviceId));
  if (data === undefined && error !== null)
    return (
      <ErrorBoundary error={error} onRetry={() => void refetch()}>
        {null}
      </ErrorBoundary>
    );
  if (data === undefined || data.state === 'Connected') return null;
  return (
    <section
      aria-label={words.title}
      className="@container overflow-clip rounded-card border border-line bg-surface"
    >
      <div className="flex flex-col gap-2 p-4.5">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4">
          <h2 className="text-section">{words.title}</h2>
          <p className="text-small text-ink3">{words.judged(formatTimeOfDay(inHubTime(dataUpdatedAt)))}</p>
        </div>
        <p className="max-w-[52rem] text-answer text-pretty">{data.sentence}</p>
      </div>
      <div className="grid grid-cols-1 border-t border-line @4xl:grid-cols-[22rem_minmax(0,1fr)]">
        <div className="flex flex-col gap-3 p-4.5">
          <h3 className="text-label text-ink2">{words.evidence}</h3>
          <ul className="flex flex-col gap-3">
            {data.evidence.map((evidence) => (
              <EvidenceItem key={`${evidence.title} ${evidence.at}`} {...evidence} />
            ))}
          </ul>
        </div>
        <div className="flex flex-col gap-3 border-line p-4.5 @max-4xl:border-t @4xl:border-s">
          <h3 className="text-label text-ink2">{words.checks}</h3>
          <ol className="divide-y divide-line">
            {data.checks.map((check, index) => (
              <CheckItem key={check.title} place={index + 1} check={check} />
            ))}
          </ol>
        </div>
      </div>
    </section>
  );
}

function EvidenceItem({ title, detail, at }: Evidence) {
  return (
    <li className="flex flex-col gap-0.5">
      <span className="text-body">
        {at === undefined ? (
          title
        ) : (
          <Link
            to="."
            search={({ kind: _kind, ...search }) => ({ ...search, tab: 'timeline' as const, at })}
            resetScroll={false}
            className="underline decoration-line underline-offset-3 hover:decoration-current"
          >
            {title}
          </Link>
        )}
      </span>
      {detail !== undefined && <span className="text-small text-ink3 wrap-anywhere">{detail}</span>}
    </li>
  );
}

function CheckItem({ place, check }: { place: number; check: Presence['checks'][number] }) {
  return (
    <li className="grid grid-cols-[1.5rem_minmax(0,1fr)] gap-x-3 gap-y-2 py-3 first:pt-0 last:pb-0 @2xl:grid-cols-[1.5rem_minmax(0,1fr)_minmax(0,22rem)]">
      <span
        aria-hidden
        className="tabular flex size-6 items-center justify-center rounded-full bg-denim-wash text-small text-denim"
      >
        {place}
      </span>
      <span className="flex flex-col gap-0.5">
        <strong className="text-body font-head">{check.title}</strong>
        <span className="text-small text-ink3">{check.detail}</span>
      </span>
      <span className="@max-2xl:col-start-2">
        <CodeBlock code={check.command} what={words.command(check.title)} />
      </span>
    </li>
  );
}
