import { type ComponentProps, useEffect, useState } from 'react';
import { type GenericSchema, parse } from 'valibot';
import { FormDialog } from '../overlay/FormDialog.tsx';
import { showToast } from '../overlay/toast.ts';
import { useAppForm } from './app-form.tsx';
import type { FieldSpec } from './field-spec.ts';
import { messageOf } from './message-of.ts';
import { useFailure } from './use-failure.ts';
import { useIsMounted } from './use-is-mounted.ts';

type Values = Record<string, string | boolean>;

type FieldsDialogProps<Input extends Values, Output> = Pick<
  ComponentProps<typeof FormDialog>,
  'open' | 'onOpenChange' | 'title' | 'description' | 'size' | 'submitLabel'
> & {
  fields: { readonly [Name in keyof Input]: FieldSpec<Input[Name]> };
  schema: GenericSchema<Input, Output>;
  onSubmit: (values: Output) => unknown;
  /** Called after the dialog has disappeared. */
  onClosed?: (() => void) | undefined;
};

/**
 * A dialog with a form: its fields in the order of `fields`, validated by `schema` on opening and on every change. `onSubmit` gets the
 * parsed values. The dialog closes when it resolves; when it rejects, the dialog stays, with what was typed and with the reason, until a
 * field is edited.
 */
export function FieldsDialog<Input extends Values, Output>(props: FieldsDialogProps<Input, Output>) {
  const [opening, setOpening] = useState(0);
  function forget(): void {
    setOpening((number) => number + 1);
    props.onClosed?.();
  }
  // A new form for each opening, so that it is empty and validated again.
  return <FieldsForm key={opening} {...props} onClosed={forget} />;
}

function FieldsForm<Input extends Values, Output>({
  fields,
  schema,
  onSubmit,
  onOpenChange,
  onClosed,
  ...frame
}: FieldsDialogProps<Input, Output>) {
  const [failure, attempt, forget] = useFailure();
  const isMounted = useIsMounted();
  const specs = Object.entries<FieldSpec<string> | FieldSpec<boolean>>(fields);
  const validator = schema as unknown as GenericSchema<Values>;
  const defaultValues = initialValues(specs);
  const form = useAppForm({
    defaultValues,
    validators: { onMount: validator, onChange: validator },
    listeners: { onChange: forget },
    onSubmit: ({ value }) =>
      attempt(async () => {
        try {
          await onSubmit(parse(schema, value));
        } catch (error) {
          // A submit that fails after the dialog was closed is reported elsewhere.
          if (!isMounted.current) showToast(frame.submitLabel, { tone: 'danger', text: messageOf(error) });
          throw error;
        }
        // After it was closed, it may be open again with other input.
        if (isMounted.current) onOpenChange(false);
      }),
  });
  // A form that nobody has touched adopts other initial values, such as saved ones, but not whether these are valid.
  const initial = JSON.stringify(defaultValues);
  useEffect(() => void form.validate('mount'), [form, initial]);
  return (
    <form.Subscribe selector={({ canSubmit, isSubmitting }) => ({ canSubmit, isSubmitting })}>
      {({ canSubmit, isSubmitting }) => (
        <FormDialog
          {...frame}
          onOpenChange={onOpenChange}
          onReset={onClosed}
          onSubmit={() => void form.handleSubmit()}
          canSubmit={canSubmit}
          busy={isSubmitting}
          error={failure}
        >
          {specs.map(([name, { kind = 'text', hint, initial: _initial, ...spec }]) => (
            <form.AppField key={name} name={name}>
              {(field) => {
                const shared = { ...spec, description: hint, disabled: isSubmitting };
                if (kind === 'checkbox') return <field.Checkbox {...shared} />;
                if ('options' in shared)
                  return 'placeholder' in shared ? (
                    <field.MultiSelect {...shared} />
                  ) : (
                    <field.Select {...shared} />
                  );
                return <field.Text autoComplete="off" {...shared} />;
              }}
            </form.AppField>
          ))}
        </FormDialog>
      )}
    </form.Subscribe>
  );
}

function initialValues(specs: readonly [string, FieldSpec<string> | FieldSpec<boolean>][]): Values {
  return Object.fromEntries(
    specs.map(([name, { kind, initial }]) => [name, initial ?? (kind === 'checkbox' ? false : '')]),
  );
}
