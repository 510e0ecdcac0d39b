import { Select as Base } from '@base-ui/react/select';
import { type ReactNode, useRef } from 'react';
import { useLandmark } from '../overlay/landmark-of.ts';
import { Field } from './Field.tsx';
import { type FieldState, fieldTone } from './field-state.ts';
import { SelectOptions, SelectTrigger } from './select-parts.tsx';

/** A select of any number of options; the list stays open while they are chosen. Without one it shows `placeholder`. */
export function MultiSelect({
  label,
  options,
  values,
  onValuesChange,
  onBlur,
  placeholder,
  required,
  description,
  error,
  disabled,
  name,
  className,
  ...state
}: FieldState & {
  label: ReactNode;
  options: readonly { value: string; label: string }[];
  values: readonly string[];
  onValuesChange: (values: string[]) => void;
  onBlur?: (() => void) | undefined;
  placeholder: string;
  required?: boolean | undefined;
  description?: ReactNode;
  error?: unknown;
  disabled?: boolean | undefined;
  name?: string | undefined;
  className?: string | undefined;
}) {
  const anchor = useRef<HTMLButtonElement>(null);
  const landmark = useLandmark(anchor);
  const labelOf = (value: string): string => options.find((option) => option.value === value)?.label ?? value;
  return (
    <Field {...{ label, required, description, error, name, disabled, className }} {...state}>
      <Base.Root multiple items={[...options]} value={[...values]} onValueChange={onValuesChange}>
        <SelectTrigger ref={anchor} tone={fieldTone(state)} placeholder={placeholder} onBlur={onBlur}>
          {(chosen: readonly string[]) =>
            chosen.length === 0 ? placeholder : chosen.map(labelOf).join(', ')
          }
        </SelectTrigger>
        <SelectOptions options={options} container={landmark} />
      </Base.Root>
    </Field>
  );
}
