import type { ComponentProps, ReactNode } from 'react';
import type { TextField } from './TextField.tsx';

interface Labelled {
  readonly label: string;
  /** A sentence below the control. */
  readonly hint?: ReactNode;
  /** Marks the label as required or optional; omit it for no mark. */
  readonly required?: boolean;
}

interface CheckboxSpec extends Labelled {
  readonly kind: 'checkbox';
  readonly initial?: boolean;
}

interface SelectSpec extends Labelled {
  readonly kind: 'select';
  readonly options: readonly { value: string; label: string }[];
  /** Nothing is selected without it. */
  readonly initial?: string;
}

/** Its value is the chosen values, separated by spaces. */
interface MultiSelectSpec extends Labelled {
  readonly kind: 'multi-select';
  readonly options: readonly { value: string; label: string }[];
  /** What it shows while nothing is chosen. */
  readonly placeholder: string;
  readonly initial?: string;
}

/** A text field of a `FieldsDialog`. */
export type TextSpec = Labelled &
  Pick<
    ComponentProps<typeof TextField>,
    'type' | 'inputMode' | 'autoComplete' | 'autoCapitalize' | 'spellCheck' | 'placeholder' | 'onPaste'
  > & {
    readonly kind?: 'text';
    readonly initial?: string;
    /** Shows what is wrong on every change, not only once the field lost the focus. */
    readonly showsAtOnce?: boolean;
  };

/** A field of a `FieldsDialog`: a checkbox for a boolean; a text field, or a select of one or several with `kind`, for a text. */
export type FieldSpec<Value> = [Value] extends [boolean]
  ? CheckboxSpec
  : TextSpec | SelectSpec | MultiSelectSpec;
