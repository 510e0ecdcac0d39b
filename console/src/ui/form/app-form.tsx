import { createFormHook, createFormHookContexts } from '@tanstack/react-form';
import type { ComponentProps } from 'react';
import { Checkbox } from './Checkbox.tsx';
import { fieldProps } from './field-state.ts';
import { MultiSelect } from './MultiSelect.tsx';
import { Select } from './Select.tsx';
import { TextField } from './TextField.tsx';

const { fieldContext, formContext, useFieldContext } = createFormHookContexts();

type Own<Component extends (props: never) => unknown, Bound extends string> = Omit<
  Parameters<Component>[0],
  Bound | 'name' | 'onBlur' | 'dirty' | 'blurred' | 'valid' | 'error'
>;

function FormTextField(props: Omit<ComponentProps<typeof TextField>, 'value' | 'onValueChange'>) {
  return <TextField {...props} {...fieldProps(useFieldContext<string>())} />;
}

function FormCheckbox(props: Own<typeof Checkbox, 'checked' | 'onCheckedChange'>) {
  const { value, onValueChange, ...state } = fieldProps(useFieldContext<boolean>());
  return <Checkbox {...props} {...state} checked={value} onCheckedChange={onValueChange} />;
}

function FormSelect(props: Own<typeof Select<string>, 'value' | 'onValueChange'>) {
  const { value, onValueChange, ...state } = fieldProps(useFieldContext<string>());
  return (
    <Select
      {...props}
      {...state}
      value={value === '' ? null : value}
      onValueChange={(next) => onValueChange(next ?? '')}
    />
  );
}

/** Ids in one text, separated by spaces. */
function FormMultiSelect(props: Own<typeof MultiSelect, 'values' | 'onValuesChange'>) {
  const { value, onValueChange, ...state } = fieldProps(useFieldContext<string>());
  return (
    <MultiSelect
      {...props}
      {...state}
      values={value === '' ? [] : value.split(' ')}
      onValuesChange={(next) => onValueChange(next.join(' '))}
    />
  );
}

/** TanStack's `useForm` whose `AppField`s have the controls of the console, bound to their field: red and green by the rule of `fieldTone`. */
export const { useAppForm } = createFormHook({
  fieldContext,
  formContext,
  fieldComponents: {
    Text: FormTextField,
    Checkbox: FormCheckbox,
    Select: FormSelect,
    MultiSelect: FormMultiSelect,
  },
  formComponents: {},
});
