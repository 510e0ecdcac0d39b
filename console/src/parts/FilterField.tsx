import { completionAt, type FilterCandidate, type FilterFields } from '@corral/contract';
import { CompletingSearchField } from '../ui/form/CompletingSearchField.tsx';
import type { SearchFieldProps } from '../ui/form/SearchField.tsx';
import type { Suggestions } from '../ui/form/use-suggestions.ts';
import { partsCopy } from './copy.ts';

/** The field of a filter in the grammar of all lists, which completes names of fields, operators and values while the user types. */
export function FilterField({
  fields,
  hints,
  ...field
}: SearchFieldProps & {
  /** With the properties whose names are known. */
  fields: FilterFields;
  /** What the fields and the groups are, by name. */
  hints: Readonly<Record<string, string>>;
  onListChange?: ((isOpen: boolean) => void) | undefined;
  onFocus?: (() => void) | undefined;
}) {
  function suggest(text: string, caret: number): Suggestions | undefined {
    const completion = completionAt(text, caret, fields);
    if (completion === undefined) return undefined;
    const { start, end, expects, typed, candidates } = completion;
    return {
      start,
      end,
      isEager: typed !== '' || expects === 'value',
      items: candidates.map((candidate) => ({
        text: candidate.text,
        label: labelOf(candidate),
        hint: hintOf(candidate, fields, hints),
      })),
    };
  }
  return <CompletingSearchField {...field} suggest={suggest} />;
}

function labelOf({ kind, name, text }: FilterCandidate): string {
  if (kind === 'group') return `${name}.…`;
  return kind === 'operator' ? text : name;
}

function hintOf(
  { kind, name }: FilterCandidate,
  { groups = [] }: FilterFields,
  hints: Readonly<Record<string, string>>,
): string | undefined {
  const { operators, words } = partsCopy.filter;
  if (kind === 'value') return undefined;
  if (kind === 'operator') return operators[name as keyof typeof operators];
  if (kind === 'word') return words[name as keyof typeof words];
  const group = groups.find((one) => name.startsWith(`${one}.`));
  return hints[group ?? name] ?? (kind === 'property' ? partsCopy.filter.property : undefined);
}
