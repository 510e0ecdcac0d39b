import type { ComponentProps } from 'react';
import { useFieldControl } from './field-context.ts';
import type { FieldTone } from './field-state.ts';
import { inputClass } from './input-class.ts';

/** The input of a text field, connected to the surrounding Field. */
export function TextInput({
  tone,
  onValueChange,
  className,
  ...input
}: ComponentProps<'input'> & { tone: FieldTone; onValueChange: (value: string) => void }) {
  const control = useFieldControl();
  const { 'aria-describedby': more } = input;
  return (
    <input
      {...input}
      {...control}
      aria-describedby={[control['aria-describedby'], more].filter(Boolean).join(' ') || undefined}
      onChange={(event) => onValueChange(event.target.value)}
      data-tone={tone}
      className={`${inputClass(tone)} ${className ?? ''}`}
    />
  );
}
