import type { Json } from '@corral/contract';
import { useState } from 'react';
import { Checkbox } from '../../ui/form/Checkbox.tsx';
import { PasswordField } from '../../ui/form/PasswordField.tsx';
import { Select } from '../../ui/form/Select.tsx';
import { TextAreaField } from '../../ui/form/TextAreaField.tsx';
import { TextField } from '../../ui/form/TextField.tsx';
import { operationCopy } from './copy.ts';
import {
  isEmpty,
  isTypedAsJson,
  type ReadInput,
  type SchemaField,
  schemaFields,
  type TypedInput,
  typedOf,
} from './schema-fields.ts';

const words = operationCopy.form;

/** The form of the input of a command, a field for each property of its schema; of a command without a usable schema one field for JSON. */
export function SchemaForm({
  schema,
  typed,
  read,
  onTyped,
}: {
  schema: Json | undefined;
  typed: TypedInput;
  /** What `readInput` makes of what was typed. */
  read: ReadInput;
  onTyped: (typed: TypedInput) => void;
}) {
  const fields = schemaFields(schema);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const problemOf = (name: string) => read.problems?.get(name);
  const change = (name: string) => (value: string | boolean) => onTyped({ ...typed, [name]: value });
  if (fields === undefined || isTypedAsJson(fields, typed)) {
    const value = String(typed[''] ?? '');
    return (
      <TextAreaField
        label={words.json}
        required={false}
        description={schema === undefined ? words.jsonHint : words.jsonOfSchema}
        value={value}
        onValueChange={change('')}
        dirty={value !== ''}
        blurred={problemOf('') !== undefined}
        valid={value === '' ? undefined : problemOf('') === undefined}
        error={problemOf('')}
      />
    );
  }
  const whole = problemOf('');
  return (
    <div className="flex flex-col gap-4">
      {fields.length === 0 && <p className="text-body text-ink3">{words.noInput}</p>}
      {fields.map((field) => (
        <div key={field.name} onBlur={() => setLeft((before) => new Set([...before, field.name]))}>
          <FormField
            field={field}
            value={typedOf(field, typed)}
            isTyped={Object.hasOwn(typed, field.name)}
            isLeft={left.has(field.name)}
            problem={problemOf(field.name)}
            onChange={change(field.name)}
          />
        </div>
      ))}
      {whole !== undefined && (
        <p role="alert" className="text-small text-danger">
          {whole}
        </p>
      )}
    </div>
  );
}

function FormField({
  field,
  value,
  isTyped,
  isLeft,
  problem,
  onChange,
}: {
  field: SchemaField;
  value: string | boolean;
  isTyped: boolean;
  isLeft: boolean;
  problem: string | undefined;
  onChange: (value: string | boolean) => void;
}) {
  const { label, kind, isRequired, isSecret, choices } = field;
  const isLeftOut = isEmpty(field, value) && field.initial !== '' && !isRequired;
  const description = isLeftOut ? words.leftOut : field.description;
  const state = {
    dirty: isTyped,
    blurred: isLeft,
    valid: isTyped ? problem === undefined : undefined,
    error: problem,
  };
  const shared = { label, description, required: isRequired, ...state };
  if (kind === 'boolean')
    return <Checkbox {...{ label, description }} checked={value === true} onCheckedChange={onChange} />;
  const text = String(value);
  if (isSecret) return <PasswordField {...shared} autoComplete="off" value={text} onValueChange={onChange} />;
  if (kind === 'choice')
    return (
      <Select
        {...shared}
        options={choices.map((choice) => ({
          value: JSON.stringify(choice),
          label: typeof choice === 'string' ? choice : JSON.stringify(choice),
        }))}
        value={text === '' ? null : text}
        onValueChange={(next) => onChange(next ?? '')}
      />
    );
  if (kind === 'json') return <TextAreaField {...shared} value={text} onValueChange={onChange} rows={3} />;
  return (
    <TextField
      {...shared}
      autoComplete="off"
      spellCheck={false}
      inputMode={kind === 'string' ? undefined : kind === 'integer' ? 'numeric' : 'decimal'}
      value={text}
      onValueChange={onChange}
    />
  );
}
