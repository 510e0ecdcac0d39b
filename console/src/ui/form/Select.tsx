import { Select as Base } from '@base-ui/react/select';
import { Check, ChevronsUpDown } from 'lucide-react';
import { type ReactNode, type Ref, useRef } from 'react';
import { uiCopy } from '../copy.ts';
import { useLandmark } from '../overlay/landmark-of.ts';
import { itemClass, popupClass } from '../overlay/popup-class.ts';
import { Field } from './Field.tsx';
import { useFieldControl } from './field-context.ts';
import { type FieldState, type FieldTone, fieldTone } from './field-state.ts';
import { inputClass } from './input-class.ts';

/** A select for a few options. `value` null is no selection, shown as `placeholder`. For more than about ten, use `Combobox`. */
export function Select<Value extends string>({
  label,
  options,
  value,
  onValueChange,
  onBlur,
  placeholder = uiCopy.field.none,
  required,
  description,
  error,
  disabled,
  name,
  className,
  ...state
}: FieldState & {
  label: ReactNode;
  options: readonly { value: Value; label: string }[];
  value: Value | null;
  onValueChange: (value: Value | null) => void;
  onBlur?: (() => void) | undefined;
  placeholder?: string | undefined;
  required?: boolean | undefined;
  description?: ReactNode;
  error?: unknown;
  disabled?: boolean | undefined;
  name?: string | undefined;
  className?: string | undefined;
}) {
  const anchor = useRef<HTMLButtonElement>(null);
  const landmark = useLandmark(anchor);
  return (
    <Field {...{ label, required, description, error, name, disabled, className }} {...state}>
      <Base.Root items={[...options]} value={value} onValueChange={(next) => onValueChange(next)}>
        <Trigger ref={anchor} tone={fieldTone(state)} placeholder={placeholder} onBlur={onBlur} />
        <Base.Portal container={landmark}>
          <Base.Positioner sideOffset={4} alignItemWithTrigger={false} className="z-40">
            <Base.Popup className={`${popupClass} min-w-(--anchor-width)`}>
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
      </Base.Root>
    </Field>
  );
}

function Trigger({
  ref,
  tone,
  placeholder,
  onBlur,
}: {
  ref: Ref<HTMLButtonElement>;
  tone: FieldTone;
  placeholder: string;
  onBlur: (() => void) | undefined;
}) {
  const { name: _, ...control } = useFieldControl();
  return (
    <Base.Trigger
      ref={ref}
      {...control}
      onBlur={onBlur}
      className={`flex items-center justify-between gap-2 text-start ${inputClass(tone)}`}
    >
      <Base.Value placeholder={placeholder} className="truncate data-placeholder:text-ink3" />
      <Base.Icon className="flex text-ink3">
        <ChevronsUpDown size={15} aria-hidden />
      </Base.Icon>
    </Base.Trigger>
  );
}
