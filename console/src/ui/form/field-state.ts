/** What a field has been through. Leave `valid` out for a field that no rule judges. */
export type FieldState = {
  /** Changed at least once, even if changed back. */
  dirty?: boolean | undefined;
  /** Left at least once. */
  blurred?: boolean | undefined;
  valid?: boolean | undefined;
};

/** The colour of a field: red when changed, blurred and invalid; green when valid; else plain. */
export type FieldTone = 'red' | 'green' | 'plain';

/** Applies the red and green rule. */
export function fieldTone({ dirty = false, blurred = false, valid }: FieldState): FieldTone {
  if (valid === true) return 'green';
  return valid === false && dirty && blurred ? 'red' : 'plain';
}

type FormField = {
  name: string;
  state: {
    value: string;
    meta: { isDirty: boolean; isBlurred: boolean; isValid: boolean; errors: readonly unknown[] };
  };
  handleChange: (value: string) => void;
  handleBlur: () => void;
};

/** The props of a text field from a TanStack Form field, so that the rule is wired in one place. */
export function fieldProps({ name, state, handleChange, handleBlur }: FormField) {
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
