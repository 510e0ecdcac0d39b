import { createContext, useContext } from 'react';

/** The props that connect a control to the label, description and message of its field. */
export type FieldControl = {
  id: string;
  name: string | undefined;
  disabled: boolean | undefined;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
};

/** Provided by `Field`. */
export const FieldContext = createContext<FieldControl | undefined>(undefined);

/** The props that the control of the surrounding Field must take. Throws outside of one. */
export function useFieldControl(): FieldControl {
  const control = useContext(FieldContext);
  if (control === undefined) throw new Error('This control belongs in a Field.');
  return control;
}
