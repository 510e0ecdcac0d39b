import type { ClipboardEvent } from 'react';
import { canonicalEmail, emailProblem, maxAddressesAtOnce } from '@corral/contract';
import { check, object, pipe, string } from 'valibot';
import { membersCopy as words } from './copy.ts';

/** The addresses in a typed or pasted text, each once; they may be separated by white space, commas and semicolons. */
export function addressesIn(typed: string): string[] {
  const parts = typed.split(/[\s,;]+/u).filter((part) => part !== '');
  return [...new Set(parts.map(canonicalEmail))];
}

function problemOf(typed: string): string | undefined {
  const addresses = addressesIn(typed);
  if (addresses.length === 0) return words.emailEmpty;
  if (addresses.length > maxAddressesAtOnce) return words.tooMany(maxAddressesAtOnce);
  return addresses.every((address) => emailProblem(address) === undefined) ? undefined : words.emailNotValid;
}

/** The validation of the dialog: one address or several, at most 50. */
export const inviteSchema = object({
  email: pipe(
    string(),
    check(
      (typed) => problemOf(typed) === undefined,
      ({ input }) => problemOf(input) ?? '',
    ),
  ),
});

/** Pastes lines into a field of one line as a list with commas, where the browser would join the lines. */
export function pasteLines(event: ClipboardEvent<HTMLInputElement>): void {
  const text = event.clipboardData.getData('text/plain');
  if (!/[\r\n]/u.test(text)) return;
  event.preventDefault();
  const field = event.currentTarget;
  const { selectionStart, selectionEnd, value } = field;
  const list = text
    .trim()
    .split(/[\r\n]+/u)
    .join(', ');
  // An input of type email has no selection: the text then replaces all.
  if (selectionStart === null) field.value = list;
  else field.setRangeText(list, selectionStart, selectionEnd ?? value.length, 'end');
  field.dispatchEvent(new Event('input', { bubbles: true }));
}
