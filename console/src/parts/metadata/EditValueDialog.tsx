import { parseExactJson } from '@corral/contract';
import { nonEmpty, object, pipe, string } from 'valibot';
import { FieldsDialog } from '../../ui/form/FieldsDialog.tsx';
import { jsonText } from '../../ui/text/json-text.ts';
import type { DialogTarget } from '../use-dialog-target.ts';
import { metadataCopy as words } from './copy.ts';

/** A value that is edited; a new one has no name yet. */
export interface EditedValue {
  readonly name?: string;
  readonly value?: unknown;
  readonly title: string;
  readonly hint: string;
  readonly save: (name: string, value: string) => unknown;
}

/** Asks for a value as JSON or plain text, and for its name where it is new. */
export function EditValueDialog({
  dialog: { target, isOpen, close },
}: {
  dialog: DialogTarget<EditedValue>;
}) {
  if (target === undefined) return null;
  const { name, title, hint, save } = target;
  const frame = { open: isOpen, onOpenChange: close, title, submitLabel: words.save };
  const value = { label: words.value, hint, initial: textOf(target.value), spellCheck: false };
  if (name !== undefined)
    return (
      <FieldsDialog
        key={name}
        {...frame}
        fields={{ value }}
        schema={object({ value: string() })}
        onSubmit={(typed) => save(name, typed.value)}
      />
    );
  return (
    <FieldsDialog
      {...frame}
      fields={{ name: { label: words.key, required: true, spellCheck: false }, value }}
      schema={object({ name: pipe(string(), nonEmpty(words.keyMissing)), value: string() })}
      onSubmit={(typed) => save(typed.name, typed.value)}
    />
  );
}

/** The text of a value in the field: a text as it is, unless it would be read as something else. */
function textOf(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' && typedValue(value) === value ? value : jsonText(value);
}

/** What was typed: JSON, or else a text. */
export function typedValue(typed: string): unknown {
  try {
    return parseExactJson(typed);
  } catch {
    return typed;
  }
}
