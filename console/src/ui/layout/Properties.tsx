import { Fragment, type ReactNode } from 'react';

/** A list of names and values. Items whose value is undefined are omitted. */
export function Properties({
  items,
}: {
  items: readonly { name: ReactNode; value: ReactNode; key?: string | undefined }[];
}) {
  return (
    <dl className="divide-y divide-line">
      {items.map(({ name, value, key }, index) =>
        value === undefined ? (
          <Fragment key={key ?? index} />
        ) : (
          <div
            key={key ?? index}
            className="grid grid-cols-[clamp(6rem,30%,11rem)_minmax(0,1fr)] gap-4 px-4.5 py-2"
          >
            <dt className="text-body wrap-anywhere text-ink3">{name}</dt>
            <dd className="min-w-0 text-body wrap-anywhere">{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}
