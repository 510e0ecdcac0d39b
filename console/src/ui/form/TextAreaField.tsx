import type { ReactNode } from 'react';
import { Field } from './Field.tsx';
import { useFieldControl } from './field-context.ts';
import { type FieldState, fieldTone } from './field-state.ts';
import { inputClass } from './input-class.ts';

/** A field for several lines, such as JSON, in which Tab leaves it. Red and green by the rule of `fieldTone`. */
export function TextAreaField({
  label,
  required,
  description,
  error,
  dirty,
  blurred,
  valid,
  value,
  onValueChange,
  rows = 4,
}: FieldState & {
  label: ReactNode;
  required?: boolean | undefined;
  description?: ReactNode;
  error?: unknown;
  value: string;
  onValueChange: (value: string) => void;
  rows?: number | undefined;
}) {
  const state = { dirty, blurred, valid };
  return (
    <Field {...{ label, required, description, error }} {...state}>
      <Area {...{ value, onValueChange, rows }} className={inputClass(fieldTone(state))} />
    </Field>
  );
}

function Area({
  value,
  onValueChange,
  rows,
  className,
}: {
  value: string;
  onValueChange: (value: string) => void;
  rows: number;
  className: string;
}) {
  const control = useFieldControl();
  return (
    <textarea
      {...control}
      dir="ltr"
      rows={rows}
      spellCheck={false}
      autoCapitalize="none"
      value={value}
      onChange={(event) => onValueChange(event.target.value)}
      className={`${className} h-auto! resize-y py-2 font-mono text-mono!`}
    />
  );
}
