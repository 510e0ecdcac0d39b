import { uiCopy } from '../copy.ts';
import { Skeleton } from '../layout/Skeleton.tsx';
import { useDelayed } from '../layout/use-delayed.ts';
import type { DataColumn } from './data-table.ts';

const lineWidths = [62, 48, 71, 55, 66, 44];

/** Placeholder rows of a table that is loading; invisible for the first 200 ms. */
export function TableSkeleton<Row>({
  columns,
  label,
  isFlush = false,
}: {
  columns: readonly DataColumn<Row>[];
  label: string;
  isFlush?: boolean | undefined;
}) {
  const isVisible = useDelayed();
  return (
    <div
      role="status"
      className={`${isFlush ? '' : 'rounded-card border border-line bg-surface'} ${isVisible ? '' : 'invisible'}`}
    >
      <span className="sr-only">{`${uiCopy.loading} ${label}`}</span>
      <div
        aria-hidden
        className="flex h-9 items-center gap-5 border-b border-line bg-canvas/60 px-4.5 text-label text-ink3"
      >
        {columns.map((column) => (
          <span key={column.id} className="flex-1 truncate max-sm:hidden">
            {column.header}
          </span>
        ))}
      </div>
      {lineWidths.map((width) => (
        <div
          key={width}
          aria-hidden
          className="flex h-[calc(var(--row-height)+0.4375rem)] items-center gap-5 border-b border-line px-4.5 last:border-0"
        >
          {columns.map((column, index) => (
            <span key={column.id} className={`flex-1 ${index > 1 ? 'max-sm:hidden' : ''}`}>
              <Skeleton width={`${width - index * 4}%`} />
            </span>
          ))}
        </div>
      ))}
    </div>
  );
}
