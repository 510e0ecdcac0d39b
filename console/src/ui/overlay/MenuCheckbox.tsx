import { Menu as Base } from '@base-ui/react/menu';
import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { itemClass } from './popup-class.ts';

/** An item of a menu that is on or off. The menu stays open, so that several can be toggled. */
export function MenuCheckbox({
  isChecked,
  onToggle,
  children,
}: {
  isChecked: boolean;
  onToggle: () => void;
  children: ReactNode;
}) {
  return (
    <Base.CheckboxItem
      checked={isChecked}
      onCheckedChange={onToggle}
      closeOnClick={false}
      className={itemClass}
    >
      <span className="flex size-4 shrink-0 items-center justify-center text-denim">
        {isChecked && <Check size={15} aria-hidden />}
      </span>
      <span className="min-w-0 flex-1">{children}</span>
    </Base.CheckboxItem>
  );
}
