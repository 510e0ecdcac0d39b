import { Menu as Base } from '@base-ui/react/menu';
import type { ReactNode } from 'react';
import { itemClass } from './popup-class.ts';

/** An action in a menu. `disabledReason` disables it and is shown as its second line. */
export function MenuItem({
  icon,
  onSelect,
  tone,
  disabledReason,
  children,
}: {
  icon?: ReactNode;
  onSelect: () => void;
  tone?: 'danger' | undefined;
  disabledReason?: string | undefined;
  children: ReactNode;
}) {
  // The reason is not dimmed, since it must be readable.
  const dim = disabledReason === undefined ? '' : 'opacity-50';
  return (
    <Base.Item
      disabled={disabledReason !== undefined}
      onClick={(event) => {
        event.stopPropagation();
        onSelect();
      }}
      className={`${itemClass} ${tone === 'danger' ? 'text-danger! data-highlighted:bg-danger-wash!' : ''}`}
    >
      <span className={`flex size-4 shrink-0 items-center justify-center text-current ${dim}`}>{icon}</span>
      <span className="flex flex-col">
        <span className={dim}>{children}</span>
        {disabledReason !== undefined && <span className="text-small text-ink3">{disabledReason}</span>}
      </span>
    </Base.Item>
  );
}
