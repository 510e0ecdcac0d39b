import { Combobox as Base } from '@base-ui/react/combobox';
import { Check, ChevronsUpDown, X } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { uiCopy } from '../copy.ts';
import { useLandmark } from '../overlay/landmark-of.ts';
import { itemClass, popupClass } from '../overlay/popup-class.ts';
import { Field } from './Field.tsx';
import { useFieldControl } from './field-context.ts';
import { inputClass } from './input-class.ts';

type Option<Value extends string> = { value: Value; label: string; hint?: string | undefined };

/** A select that filters by typing, for many options. `value` null is no selection. */
export function Combobox<Value extends string>({
  label,
  options,
  value,
  onValueChange,
  placeholder,
  disabled,
  className,
}: {
  label: ReactNode;
  options: readonly Option<Value>[];
  value: Value | null;
  onValueChange: (value: Value | null) => void;
  placeholder?: string | undefined;
  disabled?: boolean | undefined;
  className?: string | undefined;
}) {
  const anchor = useRef<HTMLDivElement>(null);
  const landmark = useLandmark(anchor);
  const chosen = options.find((option) => option.value === value) ?? null;
  return (
    <Field {...{ label, disabled, className }}>
      <Base.Root
        disabled={disabled}
        items={options as Option<Value>[]}
        value={chosen}
        onValueChange={(next) => onValueChange(next?.value ?? null)}
        isItemEqualToValue={(one, other) => one.value === other.value}
      >
        <Base.InputGroup ref={anchor} className="relative">
          <Input placeholder={placeholder} />
          <span className="absolute inset-y-0 end-1 flex items-center text-ink3">
            <Base.Clear
              aria-label={uiCopy.field.clear}
              className="flex size-7 items-center justify-center hover:text-ink pointer-coarse:size-11"
            >
              <X size={15} aria-hidden />
            </Base.Clear>
            <Base.Trigger
              aria-label={typeof label === 'string' ? label : undefined}
              className="flex size-7 items-center justify-center hover:text-ink pointer-coarse:size-11"
            >
              <ChevronsUpDown size={15} aria-hidden />
            </Base.Trigger>
          </span>
        </Base.InputGroup>
        <Base.Portal container={landmark}>
          <Base.Positioner sideOffset={4} className="z-40">
            <Base.Popup className={`${popupClass} w-(--anchor-width)`}>
              <Base.Empty className="px-2.5 py-1.5 text-body text-ink3 empty:hidden">
                {uiCopy.field.noMatches}
              </Base.Empty>
              <Base.List>
                {(option: Option<Value>) => (
                  <Base.Item key={option.value} value={option} className={itemClass}>
                    <span className="min-w-0 flex-1 truncate">{option.label}</span>
                    {option.hint !== undefined && (
                      <span className="font-mono text-small text-ink3">{option.hint}</span>
                    )}
                    <Base.ItemIndicator className="flex text-denim">
                      <Check size={15} aria-hidden />
                    </Base.ItemIndicator>
                  </Base.Item>
                )}
              </Base.List>
            </Base.Popup>
          </Base.Positioner>
        </Base.Portal>
      </Base.Root>
    </Field>
  );
}

function Input({ placeholder }: { placeholder: string | undefined }) {
  const { name: _, ...control } = useFieldControl();
  return (
    <Base.Input
      {...control}
      placeholder={placeholder}
      className={`${inputClass('plain')} own-direction pe-16 pointer-coarse:pe-24`}
    />
  );
}
