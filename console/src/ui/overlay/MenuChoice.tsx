import { Menu as Base } from '@base-ui/react/menu';
import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { itemClass } from './popup-class.ts';

/** A radio item of a menu. The menu stays open, so that the new choice is visible, unless it `closes`. */
export function MenuChoice({
  icon,
  isChosen,
  closes = false,
  onSelect,
  children,
}: {
  icon?: ReactNode;
  isChosen: boolean;
  closes?: boolean | undefined;
  onSelect: () => void;
  children: ReactNode;
}) {
  return (
    <Base.Item
      role="menuitemradio"
      aria-checked={isChosen}
      closeOnClick={closes}
      onClick={onSelect}
      className={itemClass}
    >
      <span className="flex size-4 shrink-0 items-center justify-center text-ink3">{icon}</span>
      <span className="min-w-0 flex-1">{children}</span>
      {isChosen && <Check size={15} aria-hidden className="shrink-0 text-denim" />}
    </Base.Item>
  );
}
