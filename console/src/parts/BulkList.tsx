import { Check, CircleAlert } from 'lucide-react';
import { memo, useSyncExternalStore } from 'react';
import { Meter } from '../ui/picture/Meter.tsx';
import type { BulkResult, BulkRun } from './bulk-run.ts';
import { partsCopy } from './copy.ts';

/** The items of a bulk action, and once it runs, the result of each. */
export function BulkList({ run }: { run: BulkRun }) {
  const results = useSyncExternalStore(run.subscribe, run.results);
  const done = run.items.filter(({ key }) => results.get(key) === 'done').length;
  return (
    <div className="mt-3 flex flex-col gap-2">
      {results.size > 0 && (
        <Meter isProgress label={partsCopy.bulk.progress} value={done} max={run.items.length} />
      )}
      {/* Focusable, so that the keyboard scrolls it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a box that scrolls must be reachable */}
      <ul
        tabIndex={0}
        aria-label={partsCopy.bulk.list}
        className="max-h-56 divide-y divide-line overflow-y-auto rounded-control border border-line bg-canvas/60 px-3"
      >
        {run.items.map(({ key, name }) => (
          <Item key={key} name={name} result={results.get(key)} />
        ))}
      </ul>
    </div>
  );
}

// Memoised: of 500 items only the one whose result came renders again.
const Item = memo(function Item({ name, result }: { name: string; result: BulkResult | undefined }) {
  return (
    <li className="flex items-start justify-between gap-3 py-1.5">
      <span className="min-w-0 font-head wrap-anywhere text-ink">{name}</span>
      <Result result={result} />
    </li>
  );
});

function Result({ result }: { result: BulkResult | undefined }) {
  if (result === undefined) return null;
  if (result === 'running') return <span className="text-small text-ink3">{partsCopy.bulk.running}</span>;
  if (result === 'done')
    return (
      <span className="inline-flex shrink-0 items-center gap-1 text-small text-ok">
        <Check size={14} aria-hidden />
        {partsCopy.bulk.done}
      </span>
    );
  return (
    <span className="inline-flex max-w-[60%] items-start gap-1 text-small text-danger">
      <CircleAlert size={14} aria-hidden className="mt-0.5 shrink-0" />
      {result.failure}
    </span>
  );
}
