import { Select as Base } from '@base-ui/react/select';
import { type ReactNode, useRef } from 'react';
import { uiCopy } from '../copy.ts';
import { useLandmark } from '../overlay/landmark-of.ts';
import { Field } from './Field.tsx';
import { type FieldState, fieldTone } from './field-state.ts';
import { SelectOptions, SelectTrigger } from './select-parts.tsx';

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
        <SelectTrigger ref={anchor} tone={fieldTone(state)} placeholder={placeholder} onBlur={onBlur} />
        <SelectOptions options={options} container={landmark} />
      </Base.Root>
    </Field>
  );
}
