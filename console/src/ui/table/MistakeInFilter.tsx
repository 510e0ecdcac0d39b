import { CircleAlert } from 'lucide-react';

/** A mistake in a filter: a sentence, and the filter in three parts, of which `piece` is marked. */
export type FilterMistake = { sentence: string; before: string; piece: string; after: string };

/** Shows a mistake below a filter, with its position marked; below the toolbar if that has only one line. */
export function MistakeInFilter({ id, mistake }: { id: string; mistake: FilterMistake }) {
  const { sentence, before, piece, after } = mistake;
  return (
    <div id={id} className="flex basis-full items-start gap-1.5 text-small text-danger xl:order-last">
      <CircleAlert size={14} aria-hidden className="mt-px shrink-0" />
      <div className="flex min-w-0 flex-col gap-0.5">
        <p className="own-direction wrap-anywhere">{sentence}</p>
        <p aria-hidden dir="ltr" className="font-mono wrap-anywhere whitespace-pre-wrap text-ink2">
          {before}
          <mark className="rounded-xs bg-danger-wash text-danger underline decoration-wavy">
            {piece === '' ? '\u00a0' : piece}
          </mark>
          {after}
        </p>
      </div>
    </div>
  );
}
