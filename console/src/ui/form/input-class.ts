import { classNames } from '../style/class-names.ts';
import type { FieldTone } from './field-state.ts';

const tones: Record<FieldTone, string> = {
  plain: 'border-line-strong hover:border-ink3',
  green: 'border-ok',
  red: 'border-danger',
};

/** The classes of a text input, for every control that takes text or opens a list. */
export function inputClass(tone: FieldTone): string {
  return classNames(
    'h-9.5 w-full min-w-0 rounded-control border bg-surface px-2.5 text-body text-ink transition-colors',
    'focus-visible:outline-offset-0 disabled:bg-sunken disabled:text-ink3 pointer-coarse:h-11 pointer-coarse:text-input max-sm:text-input',
    tones[tone],
  );
}
