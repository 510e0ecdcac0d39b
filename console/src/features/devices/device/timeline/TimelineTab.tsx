import type { Id, timelineKinds } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { ErrorBoundary } from '../../../../parts/ErrorBoundary.tsx';
import { moreLiveRows } from '../../../../parts/more-live-rows.ts';
import { NextPage } from '../../../../parts/NextPage.tsx';
import { omitUndefined } from '../../../../parts/search-values.ts';
import { useActorNames } from '../../../../parts/use-actor-names.ts';
import { useLivePages } from '../../../../parts/use-live-pages.ts';
import { Button } from '../../../../ui/action/Button.tsx';
import { OptionalChips } from '../../../../ui/form/OptionalChips.tsx';
import { inputClass } from '../../../../ui/form/input-class.ts';
import { useNow } from '../../../../ui/time/use-now.ts';
import { timelineQuery } from '../../queries.ts';
import { timelineCopy } from './copy.ts';
import { beforeOf, type TimelineSearch } from './timeline-search.ts';
import { TimelineRows } from './TimelineRows.tsx';
import { timelineRows } from './timeline-rows.ts';
import { WhyOffline } from './WhyOffline.tsx';

const words = timelineCopy;

interface TimelineTabProps {
  readonly projectId: Id<'project'>;
  readonly deviceId: Id<'device'>;
  readonly search: TimelineSearch;
  readonly onSearchChange: (search: TimelineSearch) => void;
}

/** What has happened to a device, newest first, and why it is not connected. Kind and time are in the URL. */
export function TimelineTab({ projectId, deviceId, search, onSearchChange }: TimelineTabProps) {
  const { kind, at } = search;
  const names = useActorNames(projectId);
  const nowMs = useNow('minute');
  const asked = { kind, before: beforeOf(at) };
  const { data: first } = useQuery(timelineQuery(deviceId, asked));
  const pages = useLivePages({
    queryOf: (after) => timelineQuery(deviceId, { ...asked, after }),
    rowsOf: ({ entries }) => entries,
    keyOf: ({ entryId }) => entryId,
    isEnabled: true,
  });
  const rows = useMemo(() => timelineRows(pages.rows ?? []), [pages.rows]);
  return (
    <div className="flex flex-col gap-4">
      <WhyOffline deviceId={deviceId} />
      <div className="flex flex-wrap items-center justify-between gap-3">
        <OptionalChips
          label={words.chips.label}
          value={kind}
          onValueChange={(next) => onSearchChange(omitUndefined({ ...search, kind: next }))}
          all={words.chips.all}
          {...chipsOf(first?.counts)}
        />
        <JumpToTime at={at} onJump={(next) => onSearchChange(omitUndefined({ ...search, at: next }))} />
      </div>
      <section aria-label={words.title} className="overflow-clip rounded-card border border-line bg-surface">
        <ErrorBoundary
          isFlush
          error={pages.rows === undefined ? (pages.error ?? undefined) : undefined}
          onRetry={pages.retry}
        >
          {pages.rows === undefined || pages.rows.length === 0 ? (
            <p role="status" className="px-4.5 py-3.5 text-body text-ink3">
              {pages.rows === undefined || pages.isPlaceholder
                ? words.loading
                : kind === undefined
                  ? words.empty
                  : words.emptyOfKind}
            </p>
          ) : (
            <>
              <TimelineRows rows={rows} names={names} nowMs={nowMs} />
              <div className="border-t border-line">
                <NextPage more={moreLiveRows(pages, pages.rows.length)} />
              </div>
            </>
          )}
        </ErrorBoundary>
      </section>
    </div>
  );
}

type Counts = readonly { readonly kind: (typeof timelineKinds)[number]; readonly count: number }[];

/** The hub counts so many of a kind. */
const maxCounted = 1000;
const countText = (count: number): string =>
  count >= maxCounted ? `${maxCounted.toLocaleString('en')}+` : String(count);

/** A chip for each kind of which there is an entry, and how many there are of all. */
function chipsOf(counts: Counts | undefined) {
  const all = counts?.reduce((sum, { count }) => sum + count, 0);
  const chips = (counts ?? [])
    .filter(({ count }) => count > 0)
    .map(({ kind, count }) => ({ value: kind, label: words.chips[kind], count: countText(count) }));
  return { allCount: all === undefined ? undefined : countText(all), chips };
}

function JumpToTime({ at, onJump }: { at: string | undefined; onJump: (at: string | undefined) => void }) {
  return (
    <div className="flex flex-wrap items-center gap-2 print:hidden">
      <label className="flex flex-wrap items-center gap-2 text-label text-ink2 sm:flex-nowrap sm:whitespace-nowrap">
        {words.jump}
        <input
          type="datetime-local"
          className={`${inputClass('plain')} max-w-60`}
          defaultValue={at === undefined ? '' : localText(at)}
          key={at ?? ''}
          onChange={({ target }) => {
            if (target.value !== '') onJump(new Date(target.value).toISOString());
          }}
        />
      </label>
      {at !== undefined && <Button onClick={() => onJump(undefined)}>{words.newest}</Button>}
    </div>
  );
}

/** A time as such a field has it: without a zone, in that of this machine. */
function localText(at: string): string {
  const ms = Date.parse(at);
  return new Date(ms - new Date(ms).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
