import { type ComponentProps, useEffect, useState } from 'react';
import { type GenericSchema, parse } from 'valibot';
import { uiCopy } from '../copy.ts';
import { FormDialog } from '../overlay/FormDialog.tsx';
import { showToast } from '../overlay/toast.ts';
import { useAppForm } from './app-form.tsx';
import { useDraft, useDraftOnClosing } from './drafts.ts';
import type { FieldSpec } from './field-spec.ts';
import { messageOf } from './message-of.ts';
import { useFailure } from './use-failure.ts';
import { useIsMounted } from './use-is-mounted.ts';

/** The values of a form by the names of its fields. */
export type Values = Record<string, string | boolean>;

/** See `FieldsDialog`. */
export type FieldsDialogProps<Input extends Values, Output> = Pick<
  ComponentProps<typeof FormDialog>,
  'open' | 'onOpenChange' | 'title' | 'description' | 'size' | 'submitLabel'
> & {
  fields: { readonly [Name in keyof Input]: FieldSpec<Input[Name]> };
  schema: GenericSchema<Input, Output>;
  onSubmit: (values: Output) => unknown;
  /** Called after the dialog has disappeared. */
  onClosed?: (() => void) | undefined;
  /**
   * A name under which what was typed is kept while the user is signed in: when the dialog was closed by Escape, a click beside it or Back, or
   * its page was left, it opens with that, until Cancel or a submit. Passwords are not kept.
   */
  draft?: string | undefined;
  /** What to keep of the typed values, where some of them were submitted. */
  unsent?: ((values: Input) => Input) | undefined;
};

/**
 * A dialog with a form: its fields in the order of `fields`, validated by `schema`. `onSubmit` gets the parsed values; when it rejects, the
 * dialog stays open with what was typed and the reason.
 */
export function FieldsDialog<Input extends Values, Output>(props: FieldsDialogProps<Input, Output>) {
  const [opening, setOpening] = useState(0);
  function forget(): void {
    setOpening((number) => number + 1);
    props.onClosed?.();
  }
  // A new form for each opening, so that it is empty, or has the draft, and is validated again.
  return <FieldsForm key={opening} {...props} onClosed={forget} />;
}

function FieldsForm<Input extends Values, Output>({
  fields,
  schema,
  onSubmit,
  onOpenChange,
  onClosed,
  draft,
  unsent = (values) => values,
  ...frame
}: FieldsDialogProps<Input, Output>) {
  const [failure, attempt, forget] = useFailure();
  const isMounted = useIsMounted();
  const specs = Object.entries<FieldSpec<string> | FieldSpec<boolean>>(fields);
  const validator = schema as unknown as GenericSchema<Values>;
  const initialOfFields = initialValues(specs);
  const kept = useDraft(draft);
  const defaultValues = { ...initialOfFields, ...kept.read() };
  const form = useAppForm({
    defaultValues,
    validators: { onMount: validator, onChange: validator },
    listeners: { onChange: forget },
    onSubmit: ({ value }) =>
      attempt(async () => {
        try {
          await onSubmit(parse(schema, value));
        } catch (error) {
          kept.restore(typedOf(value));
          // A submit that fails after the dialog was closed is reported elsewhere.
          if (!isMounted.current)
            showToast(uiCopy.error.notDone(frame.submitLabel), { tone: 'danger', text: messageOf(error) });
          throw error;
        }
        // After it was closed, it may be open again with other input.
        if (isMounted.current) close();
      }),
  });
  function typedOf(values: Values): Values {
    const isTyped = ([name, value]: [string, string | boolean]) =>
      value !== initialOfFields[name] && !isPassword(fields[name]);
    return Object.fromEntries(Object.entries<string | boolean>(unsent(values as Input)).filter(isTyped));
  }
  function close(): void {
    kept.end();
    onOpenChange(false);
  }
  // What is being submitted is kept only if that fails.
  useDraftOnClosing(kept, frame.open, () => (form.state.isSubmitting ? {} : typedOf(form.state.values)));
  // A form that nobody has touched adopts other initial values, such as saved ones, but not whether these are valid.
  const initial = JSON.stringify(defaultValues);
  useEffect(() => void form.validate('mount'), [form, initial]);
  return (
    <form.Subscribe selector={({ canSubmit, isSubmitting }) => ({ canSubmit, isSubmitting })}>
      {({ canSubmit, isSubmitting }) => (
        <FormDialog
          {...frame}
          onOpenChange={onOpenChange}
          onCancel={close}
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

const isPassword = (spec: FieldSpec<string> | FieldSpec<boolean> | undefined): boolean =>
  spec !== undefined && 'type' in spec && spec.type === 'password';

function initialValues(specs: readonly [string, FieldSpec<string> | FieldSpec<boolean>][]): Values {
  return Object.fromEntries(
    specs.map(([name, { kind, initial }]) => [name, initial ?? (kind === 'checkbox' ? false : '')]),
  );
}
