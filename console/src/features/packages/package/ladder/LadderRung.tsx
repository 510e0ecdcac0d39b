import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatSize } from '../../../../ui/text/format-size.ts';
import { RelativeTime } from '../../../../ui/time/RelativeTime.tsx';
import { packagesCopy } from '../../copy.ts';
import { versionName } from '../../version-name.ts';
import { type PackageParams, versionLink } from '../version-columns.tsx';
import type { PlainRung, Rung } from './ladder-rows.ts';

const words = packagesCopy.ladder;

/** The columns of a row: the version, the rail, tags and figures. On phones the version is above its tags. */
export const rungClass =
  'grid grid-cols-[10rem_1.75rem_minmax(0,1fr)] gap-x-2.5 px-4.5 max-sm:grid-cols-[1.75rem_minmax(0,1fr)] max-sm:px-3';

/** A version of the ladder: name, age, tags on the rail, and what a device of the next older one would fetch. */
export function LadderRung({
  params,
  version,
  older,
  place,
  isTarget,
  isPlain = false,
  tags,
}: {
  params: PackageParams;
  version: PlainRung;
  older: Rung | undefined;
  /** Where it is in the ladder. */
  place: RungPlace;
  /** Whether a dragged tag may be dropped here, or is over it. */
  isTarget: 'no' | 'possible' | 'over';
  /** Whether it is one of those that were folded. */
  isPlain?: boolean | undefined;
  tags: ReactNode;
}) {
  const hasTags = version.tags.length > 0 || isTarget === 'over';
  return (
    <div
      data-rung={version.versionId}
      className={`${rungClass} relative rounded-card outline-offset-[-3px] ${targetClass[isTarget]}`}
    >
      <div
        className={`flex min-w-0 flex-col items-end text-end max-sm:hidden ${isPlain ? 'pt-2 pb-1' : 'py-2'}`}
      >
        <VersionLink {...{ params, version, isPlain }} />
        {!isPlain && <RelativeTime at={version.createdAt} className="text-small text-ink3" />}
      </div>
      <Knot {...{ place, isPlain }} tone={knotTone(version)} hasBranch={hasTags} />
      <div
        className={`grid min-w-0 items-start gap-x-6 gap-y-1.5 sm:grid-cols-[minmax(0,1fr)_auto] ${isPlain ? 'py-1.5' : 'py-2'}`}
      >
        <div className="flex min-w-0 flex-col gap-1.5">
          <div className="flex min-w-0 flex-wrap items-baseline gap-x-2.5 sm:hidden">
            <VersionLink {...{ params, version, isPlain }} />
            <RelativeTime at={version.createdAt} className="text-small text-ink3" />
          </div>
          {tags}
        </div>
        <Figures {...{ params, version, older }} />
      </div>
    </div>
  );
}

const targetClass = {
  no: '',
  possible: 'outline-1 outline-dashed outline-line',
  over: 'bg-denim-wash/50 outline-2 outline-denim',
};

/** Whether a rung is the first, the last, one between, or the only one. */
export interface RungPlace {
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

function VersionLink({
  params,
  version,
  isPlain,
}: {
  params: PackageParams;
  version: PlainRung;
  isPlain: boolean;
}) {
  return (
    <Link
      {...versionLink(params, version.versionId)}
      title={version.name ?? version.versionId}
      className={`touch-area line-clamp-2 max-w-full font-mono wrap-anywhere hover:underline ${isPlain ? 'text-small/6 text-ink2' : 'text-body/6 font-head text-ink'}`}
    >
      <bdi>{versionName(version)}</bdi>
    </Link>
  );
}

type KnotTone = 'movable' | 'locked' | 'none';

function knotTone({ tags }: PlainRung): KnotTone {
  if (tags.some(({ locked }) => !locked)) return 'movable';
  return tags.length > 0 ? 'locked' : 'none';
}

const knotClass: Record<KnotTone, string> = {
  movable: 'border-denim bg-denim',
  locked: 'border-rivet bg-rivet',
  none: 'border-line-strong bg-surface',
};

/** A piece of the rail with the knot of a version, and the branch that its tags hang on. */
function Knot({
  place: { isFirst, isLast },
  tone,
  hasBranch,
  isPlain,
}: {
  place: RungPlace;
  tone: KnotTone;
  hasBranch: boolean;
  isPlain: boolean;
}) {
  return (
    <span
      aria-hidden
      className={`relative grid justify-items-center ${isPlain ? 'grid-rows-[0.75rem_0.75rem_minmax(0,1fr)]' : 'grid-rows-[0.75rem_1rem_minmax(0,1fr)]'}`}
    >
      <span className={`h-full border-s-2 border-line-strong ${isFirst ? 'invisible' : ''}`} />
      <span
        className={`bordered-when-forced z-1 self-center rounded-full border-2 ${isPlain ? 'size-2.5' : 'size-3.5'} ${knotClass[tone]}`}
      />
      <span className={`h-full border-s-2 border-line-strong ${isLast ? 'invisible' : ''}`} />
      {hasBranch && (
        <span
          className={`absolute start-1/2 -end-3.5 border-t-2 border-line-strong max-sm:hidden ${isPlain ? 'top-[1.0625rem]' : 'top-[1.1875rem]'}`}
        />
      )}
    </span>
  );
}

/** Files and bytes of a version, and what is other than in the next older one, as a link to the comparison. */
function Figures({
  params,
  version: { versionId, fileCount, totalBytes, step },
  older,
}: {
  params: PackageParams;
  version: PlainRung;
  older: Rung | undefined;
}) {
  if (fileCount === undefined || totalBytes === undefined) return null;
  const hasStep = step !== undefined && (step.changedFiles > 0 || fileCount > 0);
  return (
    <div className="grid gap-x-3 gap-y-0.5 text-small text-ink3 sm:grid-cols-[auto_3rem] sm:text-end">
      <span className="tabular">
        {fileCount === 0 ? words.noFiles : packagesCopy.files.total(fileCount, formatSize(totalBytes))}
      </span>
      {hasStep && older !== undefined && (
        <Link
          to="/repositories/$repositoryId/packages/$packageId/compare"
          params={params}
          search={{ from: older.versionId, to: versionId }}
          aria-label={words.compareStep(stepText(step), versionName(older))}
          className="touch-area flex items-center gap-x-3 text-ink2 hover:underline sm:col-span-2 sm:grid sm:grid-cols-subgrid"
        >
          <span className="tabular">{stepText(step)}</span>
          {step.bytesToFetch > 0 && <NewShare share={step.bytesToFetch / totalBytes} />}
        </Link>
      )}
    </div>
  );
}

const stepText = ({ changedFiles, bytesToFetch }: NonNullable<Rung['step']>): string =>
  words.step(changedFiles, bytesToFetch === 0 ? undefined : formatSize(bytesToFetch));

/** The new part of the bytes of a version. */
function NewShare({ share }: { share: number }) {
  return (
    <span
      aria-hidden
      className="bordered-when-forced flex h-1.5 w-12 shrink-0 justify-end overflow-hidden rounded-full bg-mute-wash"
    >
      <span
        className="filled-when-forced h-full rounded-full bg-v2"
        style={{ width: `max(3px, ${share * 100}%)` }}
      />
    </span>
  );
}
