/** The validation state of a field. Omit `valid` for a field without rules. */
export type FieldState = {
  /** Changed at least once, even if changed back. */
  dirty?: boolean | undefined;
  /** Lost the focus at least once. */
  blurred?: boolean | undefined;
  valid?: boolean | undefined;
};

/** The colour of a field: red when changed, blurred and invalid; green when valid; else plain. */
export type FieldTone = 'red' | 'green' | 'plain';

/** The colour of a field in this state. */
export function fieldTone({ dirty = false, blurred = false, valid }: FieldState): FieldTone {
  if (valid === true) return 'green';
  return valid === false && dirty && blurred ? 'red' : 'plain';
}

type FormField<Value> = {
  name: string;
  state: {
    value: Value;
    meta: { isDirty: boolean; isBlurred: boolean; isValid: boolean; errors: readonly unknown[] };
  };
  handleChange: (value: Value) => void;
  handleBlur: () => void;
};

/** The props of a field, from a TanStack Form field. */
export function fieldProps<Value>({ name, state, handleChange, handleBlur }: FormField<Value>) {
  const { isDirty: dirty, isBlurred: blurred, isValid: valid, errors: error } = state.meta;
  return {
    name,
    value: state.value,
    onValueChange: handleChange,
    onBlur: handleBlur,
    dirty,
    blurred,
    valid,
    error,
  };
}
