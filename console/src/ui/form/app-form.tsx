import { createFormHook, createFormHookContexts } from '@tanstack/react-form';
import type { ComponentProps, ReactNode } from 'react';
import { terms } from '../../copy/terms.ts';
import { Button } from '../action/Button.tsx';
import { Notice } from '../layout/Notice.tsx';
import { Checkbox } from './Checkbox.tsx';
import { fieldProps } from './field-state.ts';
import { MultiSelect } from './MultiSelect.tsx';
import { PasswordField } from './PasswordField.tsx';
import { Select } from './Select.tsx';
import { TextField } from './TextField.tsx';

const { fieldContext, formContext, useFieldContext, useFormContext } = createFormHookContexts();

type Own<Component extends (props: never) => unknown, Bound extends string> = Omit<
  Parameters<Component>[0],
  Bound | 'name' | 'onBlur' | 'dirty' | 'blurred' | 'valid' | 'error'
>;

/** With `showsAtOnce` it shows what is wrong on every change, not only once it lost the focus. */
function FormTextField({
  showsAtOnce = false,
  ...props
}: Omit<ComponentProps<typeof TextField>, 'value' | 'onValueChange'> & {
  showsAtOnce?: boolean | undefined;
}) {
  const state = fieldProps(useFieldContext<string>());
  return <TextField {...props} {...state} blurred={showsAtOnce || state.blurred} />;
}

function FormPasswordField(props: Omit<ComponentProps<typeof PasswordField>, 'value' | 'onValueChange'>) {
  const state = fieldProps(useFieldContext<string>());
  // An empty one is not confirmed as right only because it is optional.
  const valid = state.valid && state.value === '' ? undefined : state.valid;
  return <PasswordField {...props} {...state} valid={valid} />;
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

/** The form of a page: why the last try failed, the fields, and the button that submits them, which waits until all are valid. */
function FormFrame({
  failure,
  submitLabel,
  children,
}: {
  failure?: string | undefined;
  submitLabel: string;
  children: ReactNode;
}) {
  const form = useFormContext();
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void form.handleSubmit();
      }}
      className="flex flex-col gap-4"
    >
      {failure !== undefined && (
        <Notice tone="danger" title={terms.errorTitle}>
          {failure}
        </Notice>
      )}
      {children}
      <form.Subscribe selector={({ canSubmit, isSubmitting }) => ({ canSubmit, isSubmitting })}>
        {({ canSubmit, isSubmitting }) => (
          <div>
            <Button
              type="submit"
              variant="primary"
              disabled={!canSubmit && !isSubmitting}
              loading={isSubmitting}
            >
              {submitLabel}
            </Button>
          </div>
        )}
      </form.Subscribe>
    </form>
  );
}

/**
 * TanStack's `useForm` whose `AppField`s have the controls of the console, bound to their field: red and green by the rule of `fieldTone`. Its `Frame`, within
 * `AppForm`, is the form around them.
 */
export const { useAppForm } = createFormHook({
  fieldContext,
  formContext,
  fieldComponents: {
    Text: FormTextField,
    Password: FormPasswordField,
    Checkbox: FormCheckbox,
    Select: FormSelect,
    MultiSelect: FormMultiSelect,
  },
  formComponents: { Frame: FormFrame },
});
