import { RotateCcw, X } from 'lucide-react';
import { memo } from 'react';
import { Button } from '../../../../ui/action/Button.tsx';
import { Meter } from '../../../../ui/picture/Meter.tsx';
import { formatSize } from '../../../../ui/text/format-size.ts';
import { type OwnerKind, uploadsCopy as words } from './copy.ts';
import { isUnfinished, type UploadItem, type UploadQueue } from './UploadQueue.ts';

/** Uploads, each with its progress and what can be done about it. */
export function UploadList({
  queue,
  items,
  ownerKind,
}: {
  queue: UploadQueue;
  items: readonly UploadItem[];
  ownerKind: OwnerKind;
}) {
  if (items.length === 0) return null;
  const { leftOut } = queue;
  return (
    <>
      {leftOut > 0 && (
        <p role="alert" className="border-b border-line px-4.5 py-2.5 text-danger">
          {words.leftOut(leftOut, ownerKind)}
        </p>
      )}
      <ul aria-label={words.title} className="max-h-96 overflow-y-auto border-b border-line">
        {items.map((item) => (
          <UploadRow key={item.id} {...{ queue, item, ownerKind }} />
        ))}
      </ul>
    </>
  );
}

interface RowProps {
  readonly queue: UploadQueue;
  readonly item: UploadItem;
  readonly ownerKind: OwnerKind;
}

type ItemProps = Pick<RowProps, 'item' | 'ownerKind'>;

/** Memoized, so that progress renders only the rows under way. */
const UploadRow = memo(function UploadRowContent({ queue, item, ownerKind }: RowProps) {
  return (
    <li className="flex items-center gap-3 border-line px-4.5 py-2.5 not-first:border-t">
      <div className="flex min-w-0 flex-1 flex-col gap-1.5">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5">
          <bdi className="min-w-0 font-head wrap-anywhere whitespace-pre-wrap text-ink">{item.filename}</bdi>
          <StateText {...{ item, ownerKind }} />
        </div>
        {isUnfinished(item) && <Progress {...{ item, ownerKind }} />}
      </div>
      <ItemActions {...{ queue, item }} />
    </li>
  );
});

function StateText({ item: { state, sizeBytes }, ownerKind }: ItemProps) {
  if (state.step === 'Failed')
    return (
      <span role="alert" className="own-direction text-body wrap-anywhere text-danger">
        {state.message}
      </span>
    );
  return (
    <span className="own-direction text-body wrap-anywhere text-ink2 tabular-nums">
      {textOf(state, sizeBytes, ownerKind)}
    </span>
  );
}

type UnfailedState = Exclude<UploadItem['state'], { readonly step: 'Failed' }>;

function textOf(state: UnfailedState, sizeBytes: number, owner: OwnerKind): string {
  switch (state.step) {
    case 'Waiting':
      return words.waiting;
    case 'Hashing':
      return words.hashing;
    case 'Sending':
      return words.sending(formatSize(state.doneBytes), formatSize(sizeBytes));
    case 'Paused':
      return words.paused(state.reason);
    case 'Adding':
      return words.adding(owner);
    case 'Done':
      return state.outcome === 'present' ? words.present(owner) : words[state.outcome];
  }
}

function Progress({ item: { filename, sizeBytes, state }, ownerKind }: ItemProps) {
  const doneBytes = 'doneBytes' in state ? state.doneBytes : 0;
  const isWhole = state.step === 'Adding';
  return (
    <Meter
      isProgress
      label={words.progressOf(filename)}
      value={isWhole ? sizeBytes : doneBytes}
      max={sizeBytes}
      text={state.step === 'Failed' ? undefined : textOf(state as UnfailedState, sizeBytes, ownerKind)}
    />
  );
}

function ItemActions({ queue, item }: Pick<RowProps, 'queue' | 'item'>) {
  const { id, filename, state } = item;
  const isUnderWay = isUnfinished(item);
  return (
    <div className="flex shrink-0 items-center gap-1">
      {state.step === 'Failed' && (
        <Button
          size="small"
          isWrite
          icon={<RotateCcw size={14} aria-hidden />}
          label={words.retryOf(filename)}
          onClick={() => queue.retry(id)}
        >
          {words.retry}
        </Button>
      )}
      <Button
        size="small"
        variant="quiet"
        icon={<X size={15} aria-hidden />}
        label={isUnderWay ? words.cancelOf(filename) : words.dismissOf(filename)}
        onClick={() => queue.remove(id)}
      />
    </div>
  );
}
