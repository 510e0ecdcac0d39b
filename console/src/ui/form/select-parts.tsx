import { Select as Base } from '@base-ui/react/select';
import { Check, ChevronsUpDown } from 'lucide-react';
import type { ComponentProps, Ref } from 'react';
import { itemClass, popupClass } from '../overlay/popup-class.ts';
import { useFieldControl } from './field-context.ts';
import type { FieldTone } from './field-state.ts';
import { inputClass } from './input-class.ts';

/** The list of options of a select, over the page. */
export function SelectOptions({
  options,
  container,
}: {
  options: readonly { value: string; label: string }[];
  container: ComponentProps<typeof Base.Portal>['container'];
}) {
  return (
    <Base.Portal container={container}>
      <Base.Positioner align="start" sideOffset={4} alignItemWithTrigger={false} className="z-40">
        <Base.Popup className={`${popupClass} min-w-(--anchor-width)!`}>
          <Base.List>
            {options.map((option) => (
              <Base.Item key={option.value} value={option.value} className={itemClass}>
                <Base.ItemText className="min-w-0 flex-1 truncate">{option.label}</Base.ItemText>
                <Base.ItemIndicator className="flex text-denim">
                  <Check size={15} aria-hidden />
                </Base.ItemIndicator>
              </Base.Item>
            ))}
          </Base.List>
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  );
}

/** The button of a select, which shows what is chosen: the label of the option, or the text of `children`. */
export function SelectTrigger({
  ref,
  tone,
  placeholder,
  onBlur,
  children,
}: {
  ref: Ref<HTMLButtonElement>;
  tone: FieldTone;
  placeholder: string;
  onBlur: (() => void) | undefined;
  children?: ComponentProps<typeof Base.Value>['children'];
}) {
  const { name: _, ...control } = useFieldControl();
  return (
    <Base.Trigger
      ref={ref}
      {...control}
      onBlur={onBlur}
      className={`flex items-center justify-between gap-2 text-start ${inputClass(tone)}`}
    >
      <Base.Value placeholder={placeholder} className="truncate data-placeholder:text-ink3">
        {children}
      </Base.Value>
      <Base.Icon className="flex text-ink3">
        <ChevronsUpDown size={15} aria-hidden />
      </Base.Icon>
    </Base.Trigger>
  );
}
