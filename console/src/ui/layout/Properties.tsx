import { Fragment, type ReactNode } from 'react';

/** A list of names and values. Items whose value is undefined are omitted. Where there is room, `layout` gives the names more of it, or shows two items beside each other. */
export function Properties({
  items,
  layout,
}: {
  items: readonly { name: ReactNode; value: ReactNode; key?: string | undefined }[];
  layout?: 'wide names' | 'two columns' | undefined;
}) {
  return (
    <dl
      className={
        layout === 'two columns'
          ? '-mt-px grid grid-cols-1 *:border-t *:border-line xl:grid-cols-2 xl:*:last:odd:col-span-2'
          : 'divide-y divide-line'
      }
    >
      {items.map(({ name, value, key }, index) =>
        value === undefined ? (
          <Fragment key={key ?? index} />
        ) : (
          <div
            key={key ?? index}
            className={`grid gap-4 px-4.5 py-2 ${layout === 'wide names' ? 'grid-cols-[clamp(6rem,38%,15rem)_minmax(0,1fr)]' : 'grid-cols-[clamp(6rem,30%,11rem)_minmax(0,1fr)]'}`}
          >
            <dt className="text-body wrap-anywhere text-ink3">{name}</dt>
            <dd className="min-w-0 text-body wrap-anywhere">{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}
