import { uiCopy } from '../copy.ts';

/** "(required)" or "(optional)", for the end of a label. */
export function RequiredMark({ required }: { required: boolean }) {
  return (
    <span className="text-label font-normal text-ink3">
      {required ? uiCopy.field.required : uiCopy.field.optional}
    </span>
  );
}
